// `npm start`: installs and builds what is missing, then runs the plane on this machine and says how to reach it.
// `npm start -- local [flags]`: serves the local MCP server over HTTP on loopback instead.
import { spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { ensureBuilt, ensureInstalled, environment, ROOT } from './ensure.mjs';

const node = ensureInstalled();
ensureBuilt(node);

const [first, ...rest] = process.argv.slice(2);
const command =
  first === 'local'
    ? [path.join(ROOT, 'packages', 'mcp', 'bin', 'hanzo-mcp.js'), 'serve', '--transport', 'http', ...rest]
    : [path.join(ROOT, 'packages', 'cloud', 'bin', 'hanzo-cloud.js'), 'serve', ...process.argv.slice(2)];
const child = spawn(node, command, {
  cwd: process.env.INIT_CWD ?? ROOT,
  env: environment(),
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
