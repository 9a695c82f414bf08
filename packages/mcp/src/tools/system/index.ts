// The system tool: the server itself, its version, its load, and which of its tools are switched on.
import { defineTool } from '@hanzo/tool';
import type { Local } from '../../local.ts';
import { stats } from './stats.ts';
import { tool } from './tools.ts';
import { version } from './version.ts';

export const system = defineTool<Local>({
  name: 'system',
  title: 'System',
  summary: 'This server: version, load, and switching its tools on and off.',
  actions: { version, stats, tool },
});
