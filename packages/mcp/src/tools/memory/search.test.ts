// Search against what it promises, said as simply as possible: every term lies in some field, folded.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createFixture, type Fixture } from './testkit.ts';

let fixture: Fixture;
beforeAll(() => {
  fixture = createFixture();
});
afterAll(() => fixture.close());

const search = (query: string, more: Record<string, unknown> = {}): Promise<string[]> =>
  fixture.keys({ action: 'search', query, ...more });

describe('forms and scripts', () => {
  const TEXTS: Record<string, string> = {
    english: 'The build server caches node_modules between runs',
    cyrillic: 'Сборка проекта: Ёлка и ёжик, МОСКВА',
    chinese: '我们在东京开会，讨论数据库索引',
    japanese: 'データベースのｶﾅ索引とＡＢＣ',
    korean: '데이터베이스 검색',
    thai: 'ฐานข้อมูลสำหรับค้นหา',
    arabic: 'قاعدة البيانات',
    hindi: 'हिन्दी में खोज',
    greek: 'ΟΔΥΣΣΕΥΣ και Οδυσσεύς',
    composed: 'caf\u00e9 na\u00efve',
    decomposed: 'cafe\u0301 nai\u0308ve',
    emoji: 'deployed 🚀 by 👩‍💻 with ❤️',
    german: 'Die Straße nach GROẞEN Zielen',
    operators: 'use "quotes" AND NOT (parens) OR near* col:umn -minus ^caret {brace}',
    code: 'a.b(c) => x_y-z; C++ and C#, 100% of $HOME',
  };
  beforeAll(async () => {
    for (const [key, value] of Object.entries(TEXTS))
      await fixture.ok({ action: 'store', key, value, namespace: 'scripts' });
  });

  test.each([
    ['a word', 'server', ['english']],
    ['terms of different entries', 'SERVER москва', []],
    ['case does not count', 'SERVER', ['english']],
    ['case of other scripts', 'москва', ['cyrillic']],
    ['ё as е', 'елка ЁЖИК', ['cyrillic']],
    ['inside a word', 'erve', ['english']],
    ['one character', '会', ['chinese']],
    ['two characters', '东京', ['chinese']],
    ['no spaces', '数据库索引', ['chinese']],
    ['half-width and full-width', 'カナ abc', ['japanese']],
    ['hangul', '검색', ['korean']],
    ['thai', 'ค้นหา', ['thai']],
    ['arabic', 'البيانات', ['arabic']],
    ['devanagari', 'खोज', ['hindi']],
    ['final sigma', 'οδυσσευς', ['greek']],
    ['accents, composed or not', 'café NAÏVE', ['composed', 'decomposed']],
    ['accents left out', 'cafe', ['composed', 'decomposed']],
    ['an emoji', '🚀', ['emoji']],
    ['an emoji with a joiner', '👩‍💻', ['emoji']],
    ['with or without presentation selector', '❤', ['emoji']],
    ['sharp s', 'strasse grossen', ['german']],
    ['quotes are text', '"quotes"', ['operators']],
    ['a lone quote is text', '"', ['operators']],
    ['operators are words', 'and not or', ['operators']],
    ['a star is text', 'near*', ['operators']],
    ['a star stands for nothing', 'ser*', []],
    ['columns are text', 'col:umn', ['operators']],
    ['no column is meant', 'value:server', []],
    ['punctuation', '-minus ^caret {brace} (parens)', ['operators']],
    ['signs of languages', 'c++ c#', ['code']],
    ['wildcards of LIKE', '100% x_y', ['code']],
    ['every term must occur', 'server nowhere', []],
    ['terms in different fields', 'english server', ['english']],
  ])('%s: %s', async (_name, query, keys) => {
    expect((await search(query, { namespace: 'scripts' })).toSorted()).toEqual(keys.toSorted());
  });

  test.each([
    ['exact', 'serv', []],
    ['exact', 'server', ['english']],
    ['exact', 'node', []],
    ['prefix', 'serv', ['english']],
    ['prefix', 'erver', []],
    ['prefix', 'моск', ['cyrillic']],
    ['exact', 'c++', ['code']],
    ['exact', '🚀', ['emoji']],
  ])('%s: %s', async (match, query, keys) => {
    expect(await search(query, { namespace: 'scripts', match })).toEqual(keys);
  });

  test.each([['   '], ['\u0301'], ['']])('a query of nothing (%j) is refused', async (query) => {
    const answer = await fixture.call({ action: 'search', query });
    expect(answer.error).toMatchObject({ code: 'INVALID_PARAMS', param: 'query' });
  });
});

describe('order', () => {
  const put = (key: string, value: string, tags: string[] = []): Promise<unknown> =>
    fixture.ok({ action: 'store', key, value, tags, namespace: 'order' });
  beforeEach(async () => {
    await fixture.ok({ action: 'clear', namespace: 'order', confirm: true });
  });
  const order = (query: string): Promise<string[]> => search(query, { namespace: 'order' });

  test('the key itself, a word of a key, a tag, a word of a value, the start of one, the inside of one', async () => {
    await put('inside', 'concatenate');
    await put('start', 'category');
    await put('word', 'a cat sat');
    await put('tagged', 'nothing', ['cat']);
    await put('the-cat-key', 'nothing');
    await put('cat', 'nothing');
    expect(await order('cat')).toEqual(['cat', 'the-cat-key', 'tagged', 'word', 'start', 'inside']);
  });

  test('of two alike the one in which the word is a larger part, then the one changed last', async () => {
    await put('long', `zebra ${'and many other words '.repeat(20)}`);
    await put('short', 'zebra crossing');
    expect(await order('zebra')).toEqual(['short', 'long']);
    await put('one', 'ab');
    await put('two', 'ab');
    expect(await order('ab')).toEqual(['two', 'one']);
  });

  test('pages join to the whole list', async () => {
    for (let i = 0; i < 450; i++) await put(`page ${i}`, `common ${'word '.repeat(i % 9)}`);
    const whole = await fixture.keys({ action: 'search', query: 'common', namespace: 'order', limit: 1000 });
    expect(new Set(whole).size).toBe(450);
    expect(await fixture.keys({ action: 'search', query: 'common', namespace: 'order', limit: 7 })).toEqual(whole);
  });
});

test('random queries find what a naive search finds, in every form', async () => {
  const random = generator(20_261_201);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const letters = [
    'a',
    'b',
    'Ab',
    'é',
    'e\u0301',
    'ё',
    'и',
    '東',
    '京',
    'か\u3099',
    '👍',
    '👍🏽',
    '"',
    '*',
    '-',
    '_',
    '(',
    '1',
    ' ',
    ' ',
    '\n',
    'ß',
  ];
  const text = (most: number): string =>
    Array.from({ length: Math.floor(random() * most) }, () => pick(letters)).join('');
  const entries = Array.from({ length: 120 }, (_, i) => ({
    key: `${i}${text(6).replaceAll(/\s/g, '.')}`.normalize('NFC'),
    value: text(30),
    tags: [`t${text(4).replaceAll(/\s/g, '.')}`.normalize('NFC')],
    namespace: 'random',
  }));
  await fixture.ok({ action: 'manage', data: { create: entries } });
  // Changes and removals, so that what was is not found.
  for (const entry of entries.slice(0, 30)) {
    entry.value = text(30);
    await fixture.ok({ action: 'update', key: entry.key, namespace: 'random', value: entry.value });
  }
  for (const entry of entries.splice(100)) await fixture.ok({ action: 'delete', key: entry.key, namespace: 'random' });

  let found = 0;
  for (let i = 0; i < 500; i++) {
    const source = pick(entries);
    const from = Math.floor(random() * source.value.length);
    const query = random() < 0.6 ? cut(source.value, from, from + 1 + Math.floor(random() * 6)) : text(5);
    const terms = naiveFold(query)
      .split(/\s+/u)
      .filter((term) => term !== '');
    if (terms.length === 0) continue;
    const match = pick(['substring', 'prefix', 'exact'] as const);
    const expected = entries.filter((entry) =>
      terms.every((term) => fieldsOf(entry).some((field) => NAIVE[match](field, term))),
    );
    found += expected.length;
    const keys = await search(query, { namespace: 'random', match, limit: 1000 });
    expect([query, match, keys.toSorted()]).toEqual([query, match, expected.map(({ key }) => key).toSorted()]);
  }
  expect(found).toBeGreaterThan(500);
});

/** Of the text as it is, whole code points. */
function cut(text: string, from: number, to: number): string {
  return text.slice(from, to).toWellFormed().replaceAll('\ufffd', '');
}

const fieldsOf = (entry: { key: string; value: string; tags: string[]; namespace: string }): string[] =>
  [entry.key, entry.value, ...entry.tags, entry.namespace].map(naiveFold);

const naiveFold = (text: string): string =>
  [...text.normalize('NFKD').toLowerCase()]
    .filter((each) => !(each >= '\u0300' && each <= '\u036f'))
    .join('')
    .replaceAll('ß', 'ss')
    .normalize('NFC');

const quote = (term: string): string => term.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
const W = String.raw`[\p{L}\p{N}\p{M}_]`;
const begins = (term: string): string => (new RegExp(`^${W}`, 'u').test(term) ? `(?<!${W})` : '');
const ends = (term: string): string => (new RegExp(`${W}$`, 'u').test(term) ? `(?!${W})` : '');
const NAIVE = {
  substring: (field: string, term: string) => field.includes(term),
  prefix: (field: string, term: string) => new RegExp(begins(term) + quote(term), 'u').test(field),
  exact: (field: string, term: string) => new RegExp(begins(term) + quote(term) + ends(term), 'u').test(field),
};

/** Mulberry32: the same numbers at every run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
