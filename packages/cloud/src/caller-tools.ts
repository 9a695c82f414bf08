// The registry as the agent door wants it: what one caller may call, and the way to call it.
import type { ToolService } from './apps/tool/index.ts';
import type { CallerTools } from './mcp/host.ts';

export function callerTools({ registry, calls }: Pick<ToolService, 'registry' | 'calls'>): CallerTools {
  return {
    async list({ org, project }) {
      const { tools } = await registry.list({ org, project: project === '' ? 'default' : project });
      return tools.filter(({ activated, dispatchable }) => activated && dispatchable);
    },
    call: (context, name, args) => calls.call(context, name, args),
  };
}
