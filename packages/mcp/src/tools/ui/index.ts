// The ui tool: components of a registry in the shadcn format, looked at and put into a project.
import { defineTool, type ToolDefinition } from '@hanzo/tool';
import type { Local } from '../../local.ts';
import { getComponent, getDemo, getMetadata } from './component.ts';
import { install } from './install.ts';
import { listBlocks, listComponents, search } from './list.ts';

const tool = defineTool<Local>({
  name: 'ui',
  title: 'UI components',
  summary: 'Components of a shadcn-format registry.',
  actions: {
    list_components: listComponents,
    list_blocks: listBlocks,
    get_component: getComponent,
    get_metadata: getMetadata,
    get_demo: getDemo,
    search,
    install,
  },
  aliases: { name: 'component', block: 'component', search: 'query', uri: 'path' },
  actionAliases: { list: 'list_components', fetch: 'get_component', get: 'get_component', get_block: 'get_component' },
});

/** `method` is what this tool's action was called before (contract, local core tools 5.8). */
export const ui: ToolDefinition<Local> = {
  ...tool,
  call(args, options) {
    if (typeof args !== 'object' || args === null || !Object.hasOwn(args, 'method')) return tool.call(args, options);
    const { method, action = method, ...rest } = args as Record<string, unknown>;
    // Two that differ are refused as an unknown parameter is.
    return tool.call(action === method ? { action, ...rest } : args, options);
  },
};
