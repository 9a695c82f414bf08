// exec: commands in the shell, and the table of the processes they are.
import { defineTool } from '@hanzo/tool';
import type { Local } from '../../local.ts';
import { exec as start, kill, write } from './start.ts';
import { ps } from './ps.ts';
import { logs, wait } from './watch.ts';

export const exec = defineTool<Local>({
  name: 'exec',
  title: 'Commands',
  summary: 'Run a bash command; past timeout it goes on in the background, for wait, logs, write, kill by proc_id.',
  actions: { exec: start, ps, kill, logs, wait, write },
  aliases: { cmd: 'command', workdir: 'cwd', timeout_ms: 'timeout' },
  actionAliases: { run: 'exec', list: 'ps' },
});
