// Makes a checkout ready on a bare machine: dependencies as locked, a current Node, a fresh build.
// Plain JavaScript that an older Node can run, because that is all a bare machine has.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const MINIMUM = [22, 19];

/** Installs what is missing and returns the Node to run everything with (an absolute path). */
export function ensureInstalled() {
  if (!installed()) {
    say('installing dependencies as locked (npm ci --ignore-scripts)');
    run(process.platform === 'win32' ? 'npm.cmd' : 'npm', [
      'ci',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ]);
  }
  return currentNode();
}

/** Builds what is out of date. */
export function ensureBuilt(node) {
  run(node, ['scripts/build.ts', '--if-stale']);
}

/** Runs a program of this checkout with the current Node first on PATH; a failure ends this process with its code. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, {
    cwd: ROOT,
    stdio: ['inherit', 2, 'inherit'],
    env: environment(),
    ...options,
  });
  if (result.error) fail(`${command} did not start: ${result.error.message}`);
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/** The environment in which `node` is the current one. */
export function environment() {
  const bin = path.join(ROOT, 'node_modules', '.bin');
  return { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` };
}

function installed() {
  const there = path.join(ROOT, 'node_modules', '.package-lock.json');
  if (!existsSync(there)) return false;
  const wanted = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')).packages;
  const found = JSON.parse(readFileSync(there, 'utf8')).packages;
  return Object.entries(wanted).every(([name, entry]) => {
    if (name === '' || entry.optional || entry.peer || !name.includes('node_modules/')) return true;
    return found[name] !== undefined && found[name].version === entry.version;
  });
}

function currentNode() {
  const own = path.join(ROOT, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  if (existsSync(own)) return own;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1])) return process.execPath;
  return fail(
    `Node ${process.versions.node} is too old and none comes with this platform; install Node ${MINIMUM.join('.')} or newer`,
  );
}

function say(text) {
  process.stderr.write(`hanzo: ${text}\n`);
}

function fail(text) {
  say(text);
  process.exit(1);
}
