import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LOADERS } from './host.ts';
import { ALL_TOOLS, createSurface, DEFAULT_TOOLS, selectTools, UnknownNameError } from './surface.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'surface-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('selection', () => {
  test('nothing asked is the default list in the documented order', () => {
    expect(selectTools([], []).tools.join(' ')).toBe(
      'fs exec code git fetch workspace ui think memory plan tasks mode npx uvx jq',
    );
  });

  test('order is the published one, whatever order is asked, and each name comes once', () => {
    expect(selectTools(['jq', 'fs', 'core', 'fs'], []).tools).toEqual([
      'fs',
      'exec',
      'code',
      'git',
      'fetch',
      'workspace',
      'ui',
      'jq',
    ]);
  });

  test('all includes what is served only by name', () => {
    expect(selectTools(['all'], []).tools).toEqual([...DEFAULT_TOOLS, 'system']);
  });

  test('an unknown wanted name throws, an unknown disabled name does not', () => {
    expect(() => selectTools(['fs', 'nope'], [])).toThrow(UnknownNameError);
    expect(selectTools(['fs', 'jq'], ['jq', 'nope']).tools).toEqual(['fs']);
  });

  test('a documented name that is not built yet is left out and named', () => {
    expect(selectTools(['fs', 'browser', 'exec'], [])).toEqual({ tools: ['fs', 'exec'], missing: ['browser'] });
  });

  test('names that objects inherit are unknown names', () => {
    for (const name of ['constructor', '__proto__', 'toString'])
      expect(() => selectTools([name], [])).toThrow(UnknownNameError);
  });
});

test('every listed name has a loader, the loader makes the tool of that name, and nothing else is loadable', async () => {
  expect([...LOADERS.keys()]).toEqual(ALL_TOOLS);
  for (const [name, load] of LOADERS) expect((await load()).name).toBe(name);
});

describe('switches', () => {
  test('a disabled tool leaves the list, listeners hear of it once, and the choice is kept', () => {
    const surface = createSurface(['fs', 'jq'], folder);
    let heard = 0;
    surface.onChange(() => heard++);
    surface.setEnabled('jq', false, true);
    surface.setEnabled('jq', false, true);
    expect(surface.listed()).toEqual(['fs']);
    expect(heard).toBe(1);
    expect(JSON.parse(readFileSync(path.join(folder, 'mcp', 'tool_states.json'), 'utf8'))).toEqual({ jq: false });
    expect(createSurface(['fs', 'jq'], folder).listed()).toEqual(['fs']);
  });

  test('a choice that is not persisted ends with the server', () => {
    createSurface(['fs', 'jq'], folder).setEnabled('jq', false, false);
    expect(createSurface(['fs', 'jq'], folder).listed()).toEqual(['fs', 'jq']);
  });

  test('two servers do not undo each other', () => {
    const one = createSurface(['fs', 'jq', 'git'], folder);
    const other = createSurface(['fs', 'jq', 'git'], folder);
    one.setEnabled('jq', false, true);
    other.setEnabled('git', false, true);
    expect(createSurface(['fs', 'jq', 'git'], folder).listed()).toEqual(['fs']);
  });

  test.each(['{bad', '', '[]', 'null', '"jq"'])(
    'a file that holds %j enables everything and is never written over',
    (held) => {
      const file = path.join(folder, 'mcp', 'tool_states.json');
      mkdirSync(path.dirname(file));
      writeFileSync(file, held);
      const surface = createSurface(['fs', 'jq'], folder);
      expect(surface.listed()).toEqual(['fs', 'jq']);
      expect(surface.setEnabled('jq', false, true)).toMatch(/tool_states\.json is not .* mend or delete it/);
      expect(surface.listed()).toEqual(['fs']);
      expect(readFileSync(file, 'utf8')).toBe(held);
      expect(readdirSync(path.dirname(file))).toEqual(['tool_states.json']);
    },
  );

  test('a pipe in its place is not waited for', () => {
    mkdirSync(path.join(folder, 'mcp'));
    execFileSync('mkfifo', [path.join(folder, 'mcp', 'tool_states.json')]);
    const surface = createSurface(['fs', 'jq'], folder);
    expect(surface.setEnabled('jq', false, true)).toContain('is not a regular file');
  });
});
