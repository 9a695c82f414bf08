// The command against the real ripgrep: the same lines for the flags both have, and what is the command's own.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { gzipSync } from 'node:zlib';
import { rgPath } from '@vscode/ripgrep';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { searchVerb } from './verb.ts';

const RUN = [
  '--conditions=hanzo-source',
  '--input-type=module',
  '-e',
  `import { searchVerb } from ${JSON.stringify(new URL('verb.ts', import.meta.url).href)};
   try { process.exitCode = await searchVerb(process.argv.slice(1)); }
   catch (error) { process.stderr.write(error.message + '\\n'); process.exitCode = 2; }`,
  '--',
];

const back = process.cwd();
let root = '';
let home = '';
const at = (name: string): string => path.join(root, name);
const put = (name: string, bytes: string | Buffer): void => {
  mkdirSync(path.dirname(at(name)), { recursive: true });
  writeFileSync(at(name), bytes);
};

beforeAll(() => {
  home = realpathSync(mkdtempSync(path.join(tmpdir(), 'search-verb-')));
  root = path.join(home, 'tree');
  mkdirSync(at('.git'), { recursive: true });
  put('.gitignore', 'ignored.txt\n');
  put('a.ts', 'one two\nTwo three\n\nfour two\nfive\nsix\nseven\neight\ntwo\nnine\nten\ntwo words two\n');
  put('lib/b.ts', 'function two(): void {\n  return;\n}\n// two\n');
  put('lib/c.txt', 'no end: two');
  put('lib/crlf.txt', 'two\r\nthree\r\n');
  put('latin.txt', Buffer.from('two caf\xe9 two\nbefore\xe9\n', 'latin1'));
  put('ignored.txt', 'two\n');
  put('.hidden', 'two\n');
  put('wide.txt', Buffer.from('\ufefftwo größe\n', 'utf16le'));
  put('empty.txt', '');
  put('notes.txt.gz', gzipSync('two in there\n'));
  symlinkSync('a.ts', at('link.ts'));
  vi.stubEnv('XDG_CACHE_HOME', path.join(home, 'cache'));
  process.chdir(root);
});
afterAll(() => {
  process.chdir(back);
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

interface Ending {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs the verb in this process, which is the same but for what ends a process: that has tests of its own below. */
async function ours(...args: string[]): Promise<Ending> {
  const said = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
      said[name].push(Buffer.from(chunk));
      return true;
    }),
  );
  try {
    const code = await searchVerb(args).catch((error: Error) => {
      process.stderr.write(`${error.message}\n`);
      return 2;
    });
    return { code, stdout: Buffer.concat(said.stdout), stderr: Buffer.concat(said.stderr).toString() };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

function ripgrep(...args: string[]): Ending {
  const { status, stdout, stderr } = spawnSync(rgPath, ['--no-config', ...args], {
    cwd: root,
    // without it what is not a terminal is searched in place of the folder
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { code: status, stdout, stderr: String(stderr) };
}

/** Lines in no order, as bytes. Marks of gaps stand wherever the order of files puts them. */
const lines = (bytes: Buffer): string[] =>
  bytes
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '--' && line !== '')
    .sort();

describe('as ripgrep', () => {
  test.each([
    ['two'],
    ['-i', 'TWO'],
    ['-w', 'tw'],
    ['-S', 'two'],
    ['-S', 'Two'],
    ['-F', 'two():'],
    ['^two$'],
    ['-e', 'one', '-e', 'nine'],
    ['-F', '-e', 'two():', '-e', '// t'],
    ['-g', '*.ts', 'two'],
    ['-g', '!*.ts', '-g', '!lib', 'two'],
    ['-g', 'lib/**', 'two'],
    ['-C1', 'two'],
    ['-C', '3', 'two'],
    ['-A2', 'two'],
    ['-B2', 'two'],
    ['-A1', '-B3', 'seven|nine'],
    ['-c', 'two'],
    ['-l', 'two'],
    ['-N', 'two'],
    ['-I', 'two'],
    ['-U', 'one two\\nTwo'],
    ['two', 'lib'],
    ['two', './lib/', 'a.ts'],
    ['two', 'a.ts'],
    ['-H', 'two', 'a.ts'],
    ['-C1', 'two', 'a.ts'],
    ['-c', 'two', 'a.ts'],
    ['two', '.hidden', 'ignored.txt'],
    ['two', '.'],
    ['größe'],
    ['nowhere'],
    ['-q', 'two'],
    ['--', '-e'],
  ])('%j %j %j %j', async (...args) => {
    const words = args.filter((each): each is string => each !== undefined);
    const [mine, theirs] = [await ours(...words), ripgrep(...(words.includes('-N') ? [] : ['-n']), ...words)];
    expect({ lines: lines(mine.stdout), code: mine.code }).toEqual({ lines: lines(theirs.stdout), code: theirs.code });
    expect(mine.stderr).toBe('');
  });

  test('gaps are marked in a file as there', async () => {
    const args = ['-n', '-C1', 'two', 'a.ts'];
    expect((await ours(...args)).stdout.toString()).toBe(ripgrep(...args).stdout.toString());
  });

  test('colours are the same', async () => {
    const args = ['-n', '-H', '--color', 'always', 'two', 'a.ts'];
    expect((await ours(...args)).stdout.toString()).toBe(ripgrep(...args).stdout.toString());
  });

  test('headings are the same', async () => {
    const args = ['-n', '-H', '--heading', '-C1', 'two', 'a.ts'];
    expect((await ours(...args)).stdout.toString()).toBe(ripgrep(...args).stdout.toString());
  });

  test.each([
    ['(a', []],
    ['two', ['nowhere.txt']],
    ['two', ['a.ts', 'nowhere.txt']],
  ])('%s in %j is an error', async (pattern, paths) => {
    const mine = await ours(pattern, ...paths);
    expect(mine.code).toBe(2);
    expect(ripgrep(pattern, ...paths).code).toBe(2);
    expect(mine.stderr).toMatch(/^hanzo-mcp: /);
  });

  test.each([[['-C1', 'two']], [['caf']], [['größe']], [['two', 'lib/c.txt']]])(
    'JSON messages of %j are the same',
    async (args) => {
      type Message = { type: string; data: Record<string, unknown> & { path?: { text: string } } };
      const messages = ({ stdout }: Ending): Message[] => {
        const all = stdout.toString().trim().split('\n');
        const read = all.map((each) => JSON.parse(each) as Message).filter(({ type }) => type !== 'summary');
        for (const { data } of read) {
          delete data['stats'];
          // ripgrep counts in the text that UTF-16 was turned into, which is no place in the file
          if (data.path?.text === 'wide.txt') delete data['absolute_offset'];
        }
        const key = ({ type, data }: Message): string =>
          `${data.path?.text} ${{ begin: 0, match: 1, context: 1, end: 2 }[type]} ${String(data['line_number']).padStart(5)}`;
        return read.sort((a, b) => (key(a) < key(b) ? -1 : 1));
      };
      expect(messages(await ours('--json', ...args))).toEqual(messages(ripgrep('--json', ...args)));
    },
  );
});

describe('its own', () => {
  test('files with most matching lines come first, or in the order of their paths', async () => {
    const names = async (...args: string[]): Promise<string[]> =>
      (await ours(...args, '-l', 'two')).stdout.toString().trim().split('\n');
    expect(await names()).toEqual(['a.ts', 'lib/b.ts', 'latin.txt', 'lib/c.txt', 'lib/crlf.txt', 'wide.txt']);
    expect(await names('--sort', 'path')).toEqual([
      'a.ts',
      'latin.txt',
      'lib/b.ts',
      'lib/c.txt',
      'lib/crlf.txt',
      'wide.txt',
    ]);
    const text = (await ours('--sort', 'path', 'two')).stdout.toString();
    expect(text.split('\n').map((each) => each.split(':')[0])).toEqual([
      ...Array.from({ length: 4 }, () => 'a.ts'),
      'latin.txt',
      'lib/b.ts',
      'lib/b.ts',
      'lib/c.txt',
      'lib/crlf.txt',
      'wide.txt',
      '',
    ]);
  });

  test('a symbol: code files, those that define it first', async () => {
    const { stdout } = await ours('--symbol', 'two');
    expect(stdout.toString()).toMatch(/^lib\/b\.ts:1:function two\(\): void \{\nlib\/b\.ts:4:\/\/ two\na\.ts:1:/);
  });

  test('documents that a glob or a path names', async () => {
    expect((await ours('-g', '*.gz', 'two')).stdout.toString()).toBe('notes.txt.gz [notes.txt]:1:two in there\n');
    expect((await ours('-H', 'two', 'notes.txt.gz')).stdout.toString()).toMatch(/notes\.txt\]:1:two in there\n$/);
  });

  test('an index is made only when it is asked for, and answers the same', async () => {
    const cache = path.join(home, 'cache', 'hanzo', 'search');
    const indexes = (): string[] =>
      existsSync(cache) ? readdirSync(cache).filter((each) => /^[0-9a-f]{16}$/.test(each)) : [];
    const before = lines((await ours('two')).stdout);
    expect(indexes()).toEqual([]);
    expect(lines((await ours('--index', 'two')).stdout)).toEqual(before);
    expect(indexes()).toHaveLength(1);
    expect(lines((await ours('two')).stdout)).toEqual(before);
    expect(lines((await ours('--no-index', 'two')).stdout)).toEqual(before);
    expect(lines((await ours('two', 'lib')).stdout)).toEqual(lines(ripgrep('-n', 'two', 'lib').stdout));
  });

  test.each([
    [[], 'search for what?'],
    [['--indx', 'a'], 'did you mean --index'],
    [['--index', '--no-index', 'a'], 'exclude each other'],
    [['-C', 'x', 'a'], 'a number of lines'],
    [['--color', 'red', 'a'], 'auto, always or never'],
  ])('%j is mistyped', async (args, message) => {
    const { code, stderr } = await ours(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test('help', async () => {
    expect(await ours('--help')).toMatchObject({ code: 0, stderr: '' });
    expect((await ours('-h')).stdout.toString()).toContain('PATTERN');
  });

  test('a reader that has seen enough ends it without a word', async () => {
    put('long/many.txt', 'two and more of it\n'.repeat(300_000));
    const child = spawn(process.execPath, [...RUN, 'two', 'long'], { cwd: root });
    let said = '';
    child.stderr.on('data', (chunk) => (said += String(chunk)));
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(said).toBe('');
    rmSync(at('long'), { recursive: true });
  });

  test('an interrupt ends it at once', async () => {
    put('long/many.txt', 'two and more of it\n'.repeat(300_000));
    const child = spawn(process.execPath, [...RUN, 'two', 'long'], { cwd: root });
    await once(child.stdout, 'readable');
    child.kill('SIGINT');
    child.stdout.resume();
    expect(await once(child, 'close')).toEqual([null, 'SIGINT']);
    rmSync(at('long'), { recursive: true });
  });
});
