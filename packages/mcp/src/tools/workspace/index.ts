// The workspace tool: what project this is, and what can be done here.
import { defineTool } from '@hanzo/tool';
import type { Local } from '../../local.ts';
import { capabilities } from './capabilities.ts';
import { dependencies } from './dependencies.ts';
import { detect } from './detect.ts';
import { env } from './env.ts';

export const workspace = defineTool<Local>({
  name: 'workspace',
  title: 'Workspace',
  summary: 'What this project and this server are.',
  actions: { detect, capabilities, dependencies, env },
  aliases: { cwd: 'path', uri: 'path', name: 'filter', query: 'filter' },
  actionAliases: { deps: 'dependencies' },
});
