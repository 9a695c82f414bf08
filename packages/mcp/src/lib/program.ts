// Where a program is, and what to do when it is not there.
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { ToolError } from '@hanzo/tool';

const HOW_TO_GET: ReadonlyMap<string, string> = new Map([
  ['git', 'install git (apt-get install git, brew install git)'],
  ['jq', 'install jq (apt-get install jq, brew install jq)'],
  ['node', 'install Node.js (https://nodejs.org)'],
  ['npm', 'it comes with Node.js (https://nodejs.org)'],
  ['npx', 'it comes with Node.js (https://nodejs.org)'],
  ['uv', 'install uv (https://docs.astral.sh/uv)'],
  ['uvx', 'it comes with uv (https://docs.astral.sh/uv)'],
]);

/** The absolute path of `name` on `search` (a PATH value), or of `name` itself if it holds a slash; undefined if none is executable. */
export function findProgram(name: string, search = process.env['PATH'] ?? '', cwd = process.cwd()): string | undefined {
  const places = name.includes('/') ? [''] : search.split(path.delimiter);
  return places.map((place) => path.resolve(cwd, place, name)).find(isExecutable);
}

/** `findProgram`, or NOT_FOUND naming the program and the way to get it. */
export function needProgram(name: string, search?: string, cwd?: string): string {
  const found = findProgram(name, search, cwd);
  if (found !== undefined) return found;
  const how = HOW_TO_GET.get(name) ?? 'install it or give its absolute path';
  throw new ToolError('NOT_FOUND', `the program '${name}' is not on the PATH of this server; ${how}`, {
    program: name,
  });
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
