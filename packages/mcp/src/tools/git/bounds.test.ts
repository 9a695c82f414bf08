// What an answer may weigh, and that nothing is left out without a word.
import path from 'node:path';
import { utf8Length } from '@hanzo/tool';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Bench, bench } from './fixture.ts';
import type { Ctx } from '../../local.ts';
import { cutTo, fitting, jsonSize } from './page.ts';

/** Bytes an answer may have beyond the output limit: its frame. */
const FRAME = 1024;

let b: Bench;
beforeAll(() => {
  b = bench();
});
afterAll(() => b.dispose());

/** Bytes of all texts of an answer, about. */
const weight = ({ bodies, ...envelope }: Answer): number =>
  jsonSize(envelope) + Object.values(bodies).reduce((sum, each) => sum + utf8Length(each), 0);

describe('cutting one item', () => {
  it('takes from the longest texts and lists until it fits, and says how long they were', () => {
    const item = { hash: 'abc', message: 'x'.repeat(5000), refs: Array.from({ length: 300 }, (_, i) => `branch-${i}`) };
    const shown = cutTo(item, 1000);
    expect(jsonSize(shown)).toBeLessThanOrEqual(1000);
    expect(shown.hash).toBe('abc');
    expect(shown).toMatchObject({ cut: 'message has 5000 characters, refs has 300 items' });
    expect(item.message.startsWith(shown.message)).toBe(true);
    expect(cutTo(item, 100_000)).toBe(item);
  });

  it('splits no code point, counts escapes, and ends whatever the room', () => {
    const shown = cutTo({ message: `a${'😀'.repeat(1000)}` }, 501);
    expect(shown.message).not.toMatch(/[\ud800-\udbff]$/);
    expect(jsonSize(cutTo({ message: '\u0001'.repeat(5000) }, 500))).toBeLessThanOrEqual(500);
    for (const room of [0, -5, 20]) expect(cutTo({ message: '\u0001'.repeat(50) }, room).message).toBe('');
  });

  it('a list keeps at least one item, cut where it has to be', () => {
    const ctx = { maxOutput: 200 } as Ctx;
    const [first, ...others] = fitting(ctx, [{ message: 'x'.repeat(900) }, { message: 'y' }]);
    expect(jsonSize(first)).toBeLessThanOrEqual(200);
    expect(others).toEqual([]);
    expect(fitting(ctx, [1, 2, 3])).toEqual([1, 2, 3]);
  });
});

describe('answers within the limit', () => {
  let repo: string;
  const LIMIT = 4096;
  const call = (action: string, args: Record<string, unknown> = {}): Promise<Answer> =>
    b.call(action, { path: repo, ...args }, { maxOutput: LIMIT });
  const subject = `s${'ü'.repeat(30_000)}`;

  beforeAll(() => {
    repo = b.repo('long');
    b.write('long/a.txt', 'changed\n');
    b.write('message', `${subject}\n\n${'body\n'.repeat(20_000)}`);
    b.raw('long', 'commit', '-qaF', '../message');
    b.raw('long', 'tag', '-a', 'v1', '-F', '../message');
    const refs = Array.from({ length: 300 }, (_, i) => `create refs/heads/branch-with-quite-a-long-name-${i} HEAD\n`);
    b.feed('long', refs.join(''), 'update-ref', '--stdin');
  });

  it.each<[string, Record<string, unknown>]>([
    ['log', {}],
    ['log', { oneline: false }],
    ['log', { graph: true }],
    ['show', {}],
    ['show', { stat: true }],
    ['tag', {}],
    ['tag', { sub_action: 'show', name: 'v1' }],
    ['reflog', {}],
    ['blame', { file: 'a.txt' }],
    ['branch', {}],
  ])('a long message and many names: %s %j', async (action, args) => {
    const answer = await call(action, args);
    expect(answer.error).toBeNull();
    expect(weight(answer)).toBeLessThanOrEqual(LIMIT + FRAME);
  });

  it('what is cut is said, and a short list is whole', async () => {
    const { data } = await call('log', { limit: 1 });
    expect(data.commits[0].cut).toContain('message has 30001 characters');
    expect(data.paging).toMatchObject({ more: true, cursor: '1' });
    expect((await call('log', { cursor: '1' })).data.commits[0]).not.toHaveProperty('cut');
    expect((await call('show', { stat: true })).data).toMatchObject({
      cut: expect.stringContaining('message'),
      files_changed: 1,
    });
    expect((await call('tag', { sub_action: 'show', name: 'v1' })).data.cut).toContain('message');
  });

  it('a commit does not give the caller its message back', async () => {
    b.write('long/a.txt', 'again\n');
    const answer = await call('commit', { message: subject, all: true });
    expect(answer.data.message.length).toBeLessThan(310);
    expect(weight(answer)).toBeLessThan(2048);
  });
});

describe('a diff of many files', () => {
  it('shares the answer between list and patch; pages join; stat lists all', async () => {
    const repo = b.repo('wide');
    for (let i = 0; i < 120; i++) b.write(`wide/${'n'.repeat(90)}${i}`, `text ${i}\n`);
    for (let i = 0; i < 60; i++) b.write(`wide/${'k'.repeat(90)}${i}.key`, 'PRIVATE\n');
    b.raw('wide', 'add', '-A');
    const limit = 4096;
    let text = '';
    let pages = 0;
    for (let cursor: string | undefined; ; pages++) {
      const args = { path: repo, staged: true, ...(cursor === undefined ? {} : { cursor }) };
      const page = await b.call('diff', args, { maxOutput: limit });
      expect(weight(page)).toBeLessThanOrEqual(limit + FRAME);
      if (cursor === undefined) {
        expect(page.data).toMatchObject({ files_changed: 180, withheld_total: 60 });
        expect(page.data.files.length).toBe(page.data.files_listed);
        expect(page.data.files_listed).toBeGreaterThan(5);
      }
      text += page.bodies['diff'];
      cursor = page.data.paging.cursor ?? undefined;
      if (cursor === undefined) break;
    }
    expect(pages).toBeGreaterThan(5);
    expect(text).toBe((await b.call('diff', { path: repo, staged: true }, { maxOutput: 10_000_000 })).bodies['diff']);
    let listed = 0;
    for (let cursor: string | null = '0'; cursor !== null;) {
      const page: Answer = await b.call('diff', { path: repo, staged: true, stat: true, cursor }, { maxOutput: limit });
      expect(weight(page)).toBeLessThanOrEqual(limit + FRAME);
      listed += page.data.files.length;
      cursor = page.data.paging.cursor;
    }
    expect(listed).toBe(180);
  });
});

describe('blame', () => {
  it('every line of a page has its commit beside it, at any limit', async () => {
    const repo = b.repo('blamed');
    // Written as one stream: forty commits one by one would take seconds.
    const commits = Array.from({ length: 40 }, (_, i) => {
      const content = Array.from({ length: i + 1 }, (__, line) => `line ${line}\n`).join('');
      const message = `subject ${i} ${'long '.repeat(i)}`;
      return `commit refs/heads/main\ncommitter A <a@b.test> ${1_700_000_000 + i} +0000\ndata ${message.length}\n${message}\n${i === 0 ? 'from refs/heads/main^0\n' : ''}M 100644 inline b.txt\ndata ${content.length}\n${content}\n`;
    });
    b.feed('blamed', commits.join(''), 'fast-import', '--quiet');
    const whole = (await b.call('blame', { path: repo, file: 'b.txt', ref: 'main' }, { maxOutput: 1_000_000 })).bodies[
      'blame'
    ];
    for (const limit of [1024, 2048]) {
      let text = '';
      for (let cursor: string | undefined; ;) {
        const args = { path: repo, file: 'b.txt', ref: 'main', ...(cursor === undefined ? {} : { cursor }) };
        const page = await b.call('blame', args, { maxOutput: limit });
        expect(weight(page)).toBeLessThanOrEqual(limit + FRAME);
        const body = page.bodies['blame'] as string;
        const named = new Set(body.match(/^[0-9a-f]{8}(?= \d)/gm));
        const told = new Set(page.data.commits.map((each: { hash: string }) => each.hash.slice(0, 8)));
        expect(told).toEqual(named);
        text += body;
        cursor = page.data.paging?.cursor ?? undefined;
        if (cursor === undefined) break;
      }
      expect(text).toBe(whole);
    }
  });

  it('a file that is not there is named with its neighbour, one that is not committed as such', async () => {
    const repo = b.repo('unblamed');
    expect((await b.call('blame', { path: repo, file: 'a.tx' })).error).toMatchObject({
      code: 'NOT_FOUND',
      param: 'file',
      nearest: 'a.txt',
    });
    b.write('unblamed/new', 'x\n');
    const { error } = await b.call('blame', { path: repo, file: 'new' });
    expect(error).toMatchObject({ code: 'NOT_FOUND', param: 'file' });
    expect(error.message).toContain('new is not in HEAD');
  });
});

describe('what is past the end or misspelt', () => {
  it('log says how many commits there are', async () => {
    const repo = b.repo('ended');
    for (const cursor of ['1', '99']) {
      const { error } = await b.call('log', { path: repo, cursor });
      expect(error).toMatchObject({ code: 'INVALID_PARAMS', param: 'cursor' });
      expect(error.message).toContain('there are 1 in all');
    }
    expect((await b.call('log', { path: repo, author: 'nobody', cursor: '3' })).error.message).toContain(
      'are 0 in all',
    );
    expect((await b.call('log', { path: repo, author: 'nobody' })).data).toEqual({ commits: [], total: 0 });
  });

  it('a folder that is not there is named with its neighbour', async () => {
    b.repo('folder');
    const { error } = await b.call('status', { path: path.join(b.root, 'flder') });
    expect(error).toMatchObject({ code: 'NOT_FOUND', nearest: expect.stringMatching(/\/folder$/) });
    expect(error.message).toContain(`did you mean ${path.join(b.root, 'folder')}?`);
  });

  it('a message shows no half of a code point', async () => {
    const repo = b.repo('halves');
    for (const [action, args] of [
      ['log', { cursor: `x${'😀'.repeat(60)}` }],
      ['blame', { file: 'a.txt', lines: `x${'😀'.repeat(60)}` }],
      ['config', { key: `x${'😀'.repeat(60)}` }],
    ] as const) {
      const { error } = await b.call(action, { path: repo, ...args });
      expect(error.message).toContain('…');
      expect(error.message.isWellFormed()).toBe(true);
    }
  });
});
