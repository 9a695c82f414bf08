#!/usr/bin/env node
// The committed entry: checks the Node it runs on, turns the compile cache on, and loads the built program.
// No import here: an older Node must be able to read this far, and a start pays for every one.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `hanzo: Node ${process.versions.node} is too old; it needs 22.19 or newer (in a checkout: npm ci --ignore-scripts, then npx hanzo)\n`,
  );
  process.exitCode = 1;
} else {
  const program = new URL('../dist/cli.js', import.meta.url);
  process.getBuiltinModule('node:module').enableCompileCache();
  await import(program.href).catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || !error.message.includes(program.pathname)) throw error;
    process.stderr.write(`hanzo: ${program.pathname} is missing; run \`npm run build\` in the checkout first\n`);
    process.exitCode = 1;
  });
}
