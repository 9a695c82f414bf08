// A server as small as can be, for exit.test.ts: it starts commands and ends by the road it is told.
import { writeSync } from 'node:fs';
import { createProcessTable } from './table.ts';

const [mark = '', road = '', sandbox = ''] = process.argv.slice(2);
const table = createProcessTable({ sandboxPid: sandbox === 'sandbox' });

const COMMANDS = [
  'sleep MARK',
  'trap "" HUP INT TERM; sleep MARK; sleep MARK',
  'sleep MARK & setsid sleep MARK >/dev/null 2>&1 & wait',
  'nohup sleep MARK >/dev/null 2>&1 & env -i setsid -f sleep MARK >/dev/null 2>&1 </dev/null; wait',
  'yes MARK | head -c 300000; sleep MARK',
  '(env -i setsid sleep MARK >/dev/null 2>&1 </dev/null &) ; setsid sh -c "kill -STOP \\$\\$; true" x MARK & wait',
];

for (const command of COMMANDS) {
  await table.start({ argv: ['bash', '-c', command.replaceAll('MARK', mark)], cwd: '/', stdin: true });
}
process.on('SIGUSR1', () => {
  // The roads that begin inside the process; the others are signals sent from outside.
  if (road === 'close') void table.close();
  if (road === 'close, then exit') void table.close().then(() => process.exit(0));
  if (road === 'exit') process.exit(3);
  if (road === 'exit while closing') {
    void table.close();
    process.exit(3);
  }
  if (road === 'exception') throw new Error('unforeseen');
  if (road === 'rejection') void Promise.reject(new Error('unforeseen'));
  if (road === 'broken pipe') setInterval(() => process.stdout.write('x'.repeat(1000)), 5);
  if (road === 'abort') process.abort();
});
writeSync(1, 'ready\n');
