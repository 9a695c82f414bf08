// The program `hanzo`: the two ways that must start at once, then everything else.
import { readFileSync } from 'node:fs';
import process from 'node:process';

function version(): string {
  // beside both src/ and dist/
  return (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version;
}

async function main(argv: readonly string[]): Promise<number> {
  const [first, ...rest] = argv;
  if (first === 'version' || first === '--version' || first === '-V') {
    process.stdout.write(`${version()}\n`);
    return 0;
  }
  if (first === '__mcp') return (await import('./launcher/index.ts')).launch(rest);
  return (await import('./main.ts')).main(first, rest);
}

process.exitCode = await main(process.argv.slice(2));
