// `npm start`: installs and builds what is missing, then serves over HTTP on loopback and says how to connect.
import { spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { ensureBuilt, ensureInstalled, environment, ROOT } from './ensure.mjs';

const node = ensureInstalled();
ensureBuilt(node);

const bin = path.join(ROOT, 'packages', 'mcp', 'bin', 'hanzo-mcp.js');
const given = process.argv.slice(2);
const child = spawn(node, [bin, 'serve', '--transport', 'http', ...given], {
  cwd: process.env.INIT_CWD ?? ROOT,
  env: environment(),
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
