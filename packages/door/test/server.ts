// The test host as a program over stdio: `node server.ts`. It also has tools that only a process of its own can have.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { divertStdout, type Host, serveStdio } from '../src/index.ts';
import { createTestHost, text } from './host.ts';

const output = divertStdout();
const ending = new AbortController();
process.once('SIGTERM', () => ending.abort());
const host = createTestHost();
const served: Host = {
  ...host,
  async call(caller, name, args, context) {
    if (name !== 'flood') return host.call(caller, name, args, context);
    // 100 MB on a child's standard error, read and thrown away as whoever spawns has to.
    const script = `const b = Buffer.alloc(1 << 20, 'e'); for (let i = 0; i < 100; i++) require('fs').writeSync(2, b);`;
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'pipe'] });
    let bytes = 0;
    child.stderr.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    await once(child, 'close');
    return text(String(bytes));
  },
};

await serveStdio({
  output,
  signal: ending.signal,
  host: served,
  onEnd: () => void process.stderr.write(`ended, aborted: ${host.aborted.join()}\n`),
});
