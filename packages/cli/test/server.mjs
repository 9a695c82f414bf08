// A stdio server for the launcher's tests: waits for the file GATE before it reads, and does odd things when asked to.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';

const { GATE, TOOLS = 'one,two', TALK = '0' } = process.env;
if (process.env.NOISE) process.stdout.write('starting up...\n');
process.stderr.write('x'.repeat(Number(TALK)));
const closed = () => GATE !== undefined && !existsSync(GATE);
while (closed()) await new Promise((resolve) => setTimeout(resolve, 10));

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    const capabilities = { tools: {}, resources: {} };
    say({
      id,
      result: { protocolVersion: params.protocolVersion, capabilities, serverInfo: { name: 'odd', version: '7' } },
    });
  } else if (method === 'tools/list') {
    // a page for each tool
    const all = TOOLS.split(',').map((name) => ({ name, inputSchema: { type: 'object' } }));
    const at = Number(params?.cursor ?? 0);
    say({ id, result: { tools: [all[at]], ...(at + 1 < all.length ? { nextCursor: String(at + 1) } : {}) } });
  } else if (params?.name === 'verbatim') {
    process.stdout.write(
      `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"line":${JSON.stringify(line)},"big":12345678901234567890}}\n`,
    );
  } else if (params?.name === 'family') {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'inherit' });
    say({ id, result: { pid: child.pid } });
  } else if (params?.name === 'die') process.exit(3);
  else if (params?.name === 'ask') say({ id: 1, method: 'roots/list' });
  else if (method === undefined) say({ method: 'notifications/told', params: { id, line } });
  else if (id !== undefined) say({ id, result: {} });
}
