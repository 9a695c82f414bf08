#!/usr/bin/env node
// The committed entry: checks the Node it runs on, turns the compile cache on, and loads the built program.
import module from 'node:module';
import process from 'node:process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
const program = new URL('../dist/cli.js', import.meta.url);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `hanzo-mcp: Node ${process.versions.node} is too old; it needs 22.19 or newer (in a checkout: npm ci --ignore-scripts, then npx hanzo-mcp)\n`,
  );
  process.exitCode = 1;
} else if (!existsSync(program)) {
  process.stderr.write(`hanzo-mcp: ${fileURLToPath(program)} is missing; run \`npm run build\` in the checkout first\n`);
  process.exitCode = 1;
} else {
  module.enableCompileCache();
  // Clients end stdio servers with a signal, and the cache is written only on a clean exit; so write it soon after the start.
  setTimeout(() => module.flushCompileCache(), 500).unref();
  await import(program.href);
}
