// The workspace tool: what project this is, and what can be done here.
import { defineTool } from '@hanzo/tool';
import type { Local } from '../../local.ts';
import { capabilities } from './capabilities.ts';
import { detect } from './detect.ts';

export const workspace = defineTool<Local>({
  name: 'workspace',
  title: 'Workspace',
  summary: 'What project this is, how to build and test it, and what this server can do.',
  actions: { detect, capabilities },
  aliases: { cwd: 'path', uri: 'path' },
});
