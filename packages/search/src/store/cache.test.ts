// Indexes have a place of the user's own, within a bound; what is not ours, or is being built, stays.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cleanCache, defaultCache, folderOf, prepareFolder, reasonOf, stampUse } from './cache.ts';
import { takeLock } from './lock.ts';

let home = '';
let cache = '';
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'hanzo-cache-')));
  cache = join(home, 'a', 'cache');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** A root with an index of so many bytes, used so many hours ago. */
function index(name: string, bytes: number, hours: number): { root: string; folder: string } {
  const root = join(home, name);
  mkdirSync(root);
  const made = prepareFolder(cache, root);
  if (!('folder' in made)) throw new Error(made.reason);
  writeFileSync(join(made.folder, 'gen-1.bin'), Buffer.alloc(bytes));
  const then = new Date(Date.now() - hours * 3_600_000);
  utimesSync(join(made.folder, 'hanzo-search.json'), then, then);
  return { root, folder: made.folder };
}

describe('the cache folder', () => {
  it('is where the system keeps caches', () => {
    expect(defaultCache({ XDG_CACHE_HOME: '/x' }, 'linux', '/home/u')).toBe('/x/hanzo/search');
    expect(defaultCache({ XDG_CACHE_HOME: 'x' }, 'linux', '/home/u')).toBe('/home/u/.cache/hanzo/search');
    expect(defaultCache({}, 'darwin', '/Users/u')).toBe('/Users/u/Library/Caches/hanzo/search');
    expect(defaultCache({ LOCALAPPDATA: '/local' }, 'win32', '/u')).toBe('/local/hanzo/search');
    expect(folderOf('/c', '/some/root')).toMatch(/^\/c\/[0-9a-f]{16}$/);
  });

  it('has its mark written again where that is damaged', () => {
    const { root, folder } = index('one', 10, 0);
    const mark = join(folder, 'hanzo-search.json');
    const whole = readFileSync(mark, 'utf8');
    writeFileSync(mark, whole.replace(/one"/, 'One"'));
    expect(prepareFolder(cache, root)).toEqual({ folder });
    expect(readFileSync(mark, 'utf8')).toBe(whole);
  });

  it('has a folder per root, for its user alone', () => {
    const { folder } = index('one', 10, 0);
    expect(folder).toBe(folderOf(cache, join(home, 'one')));
    if (process.platform !== 'win32') {
      expect(statSync(folder).mode & 0o777).toBe(0o700);
      expect(statSync(cache).mode & 0o777).toBe(0o700);
      chmodSync(folder, 0o755);
      expect(prepareFolder(cache, join(home, 'one'))).toEqual({ folder });
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    }
  });

  it('says why there can be none', () => {
    writeFileSync(join(home, 'file'), '');
    expect(prepareFolder(join(home, 'file'), '/r')).toEqual({
      reason: expect.stringMatching(/no folder|in its place/),
    });
    mkdirSync(folderOf(cache, '/r'), { recursive: true });
    writeFileSync(join(folderOf(cache, '/r'), 'thesis.txt'), 'mine');
    expect(prepareFolder(cache, '/r')).toEqual({ reason: expect.stringContaining('holds what is not an index') });
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    expect(reasonOf(full, '/f')).toBe('/f is on a full disk (ENOSPC)');
    expect(reasonOf(new Error('odd'), '/f')).toBe('odd');
  });

  it.runIf(process.getuid?.() === 0 && existsSync('/proc/self'))('says so of a disk that cannot be written', () => {
    expect(prepareFolder('/proc/self/hanzo', '/r')).toEqual({ reason: expect.any(String) });
  });

  it('notes its use once an hour', () => {
    const { folder } = index('one', 10, 0.5);
    const mark = join(folder, 'hanzo-search.json');
    const before = statSync(mark).mtimeMs;
    stampUse(folder);
    expect(statSync(mark).mtimeMs).toBe(before);
    const past = new Date(Date.now() - 2 * 3_600_000);
    utimesSync(mark, past, past);
    stampUse(folder);
    expect(statSync(mark).mtimeMs).toBeGreaterThan(before);
    stampUse(join(home, 'nowhere'));
  });

  it('is bounded: what was used longest ago goes, but neither what is in use nor what is being built', () => {
    const oldest = index('oldest', 100_000, 9);
    const locked = index('locked', 100_000, 8);
    const kept = index('kept', 100_000, 7);
    const next = index('next', 100_000, 6);
    const newest = index('newest', 100_000, 1);
    const lock = takeLock(locked.folder)!;
    expect(cleanCache(cache, 1_000_000)).toEqual([]);
    expect(cleanCache(cache, 310_000, kept.folder)).toEqual([oldest.root, next.root]);
    expect([oldest, locked, kept, next, newest].map(({ folder }) => existsSync(folder))).toEqual([
      false,
      true,
      true,
      false,
      true,
    ]);
    lock.release();
    expect(cleanCache(cache, 210_000, kept.folder)).toEqual([locked.root]);
    expect(readdirSync(cache).length).toBe(2);
  });

  it('loses the indexes of roots that are gone', () => {
    const gone = index('gone', 10, 0);
    const there = index('there', 10, 0);
    rmSync(gone.root, { recursive: true });
    expect(cleanCache(cache, 1e9)).toEqual([gone.root]);
    expect([gone.folder, there.folder].map((folder) => existsSync(folder))).toEqual([false, true]);
  });

  it('never touches what is not ours', () => {
    index('one', 10, 0);
    const foreign = join(cache, '0123456789abcdef');
    mkdirSync(foreign);
    writeFileSync(join(foreign, 'data'), Buffer.alloc(1000));
    writeFileSync(join(cache, 'file'), 'x');
    const trash = join(cache, `removed-${'0'.repeat(16)}-${'1'.repeat(16)}`);
    mkdirSync(trash);
    writeFileSync(join(trash, 'data'), 'x');
    // another root's mark, copied
    const copied = join(cache, 'fedcba9876543210');
    mkdirSync(copied);
    writeFileSync(join(copied, 'hanzo-search.json'), JSON.stringify({ kind: 'hanzo-search index', root: '/gone' }));
    cleanCache(cache, 0);
    expect(readdirSync(cache).sort()).toEqual([
      '0123456789abcdef',
      'fedcba9876543210',
      'file',
      trash.slice(cache.length + 1),
    ]);
    expect(readdirSync(foreign)).toEqual(['data']);
    expect(cleanCache(join(home, 'nowhere'), 0)).toEqual([]);
  });

  it('finishes a removal that was cut off', () => {
    const { folder } = index('one', 10, 0);
    const trash = join(cache, `removed-${'a'.repeat(16)}-${'b'.repeat(16)}`);
    mkdirSync(join(trash, 'seg-a'), { recursive: true });
    writeFileSync(join(trash, 'hanzo-search.json'), '');
    cleanCache(cache, 1e9);
    expect(readdirSync(cache)).toEqual([folder.slice(cache.length + 1)]);
  });
});
