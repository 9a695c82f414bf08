// What a reader sees of what a program drew. Each case is the bytes written and the text a terminal would end up showing.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { Capture } from './capture.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'terminal-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
function show(chunks: readonly Uint8Array[], maxLog = 1 << 28): string {
  const capture = new Capture(path.join(folder, `${count++}`), maxLog);
  for (const chunk of chunks) capture.feed(chunk);
  capture.end();
  const text = capture.read(0, capture.size).toString();
  capture.close();
  return text;
}

const ESC = '\x1b';
const CASES: readonly (readonly [rule: string, written: string, shown: string])[] = [
  ['plain text is itself', 'a\tb\n\nc', 'a\tb\n\nc'],
  ['CRLF is a line end', 'a\r\nb\r\n', 'a\nb\n'],
  ['CR CR LF is a line end', 'a\r\r\nb', 'a\nb'],
  ['a carriage return overwrites', '10 %\r50 %\r100 %\n', '100 %\n'],
  ['a shorter frame leaves the rest of a longer one', 'abcdef\rxy\n', 'xycdef\n'],
  ['a carriage return at the end changes nothing', 'done\r', 'done'],
  ['characters are overwritten whole', 'äöü\rx\n', 'xöü\n'],
  ['characters overwrite whole', 'abc\r€é\n', '€éc\n'],
  ['characters of four bytes', '😀😀\r🚀\n', '🚀😀\n'],
  ['a backspace moves left', 'abc\b\bX\n', 'aXc\n'],
  ['a backspace moves over a character, not a byte', 'aé\bX\n', 'aX\n'],
  ['a backspace stops at the left', 'a\b\b\bX', 'X'],
  ['bell, NUL, shifts and DEL show nothing', 'a\x07\0\x0e\x0f\x7fb', 'ab'],
  ['a form feed is a line end', 'a\fb\vc', 'a\nb\nc'],
  ['colours show nothing', `${ESC}[1;31mred${ESC}[0m and ${ESC}[38;2;1;2;3mmore${ESC}[m\n`, 'red and more\n'],
  ['a title shows nothing', `${ESC}]0;title\x07text${ESC}]2;other${ESC}\\!`, 'text!'],
  ['a link shows its text', `${ESC}]8;;https://a.example/\x07link${ESC}]8;;\x07`, 'link'],
  ['a device string shows nothing', `a${ESC}Pq#0;2;0${ESC}\\b${ESC}_hidden${ESC}\\c`, 'abc'],
  ['a string without an end hides its own line only', `a${ESC}]0;lost\nb\n`, 'a\nb\n'],
  ['a cancelled string is over', `a${ESC}]0;x\x18b`, 'ab'],
  ['8-bit controls in UTF-8 are controls', 'a\u009b31mb\u009d0;t\u009cc\u0085d', 'abc\nd'],
  ['other characters of that block stay', '°«»\u00a0é', '°«»\u00a0é'],
  ['erase to the end', `abcdef\r${ESC}[Kxy\n`, 'xy\n'],
  ['erase the line, then return', `a long frame${ESC}[2K\rshort\n`, 'short\n'],
  ['return, then erase the line', `a long frame\r${ESC}[2Kshort\n`, 'short\n'],
  ['erase to the left', `abcdef${ESC}[3D${ESC}[1K\n`, '   def\n'],
  ['move left and right', `abc${ESC}[2DX${ESC}[1CY\n`, 'aXcY\n'],
  ['a column by number', `abc${ESC}[2GX${ESC}[7GY\n`, 'aXc   Y\n'],
  ['delete characters', `abcdef\r${ESC}[2Pz\n`, 'zdef\n'],
  ['a line drawn again', `one\ntwo\n${ESC}[1A${ESC}[2Kdeux\n`, 'one\ndeux\n'],
  ['several lines drawn again', `a 1\nb 1\n${ESC}[2Aa 2\nb 2\n${ESC}[2Aa 3\nb 3\nend\n`, 'a 3\nb 3\nend\n'],
  ['up by one with the short form', `one\ntwo${ESC}M\rONE\n`, 'ONE\ntwo'],
  ['up past the top stays at the top', `one\n${ESC}[99Atop\n`, 'top\n'],
  ['erase below', `a\nb\nc\n${ESC}[2A${ESC}[Jd\n`, 'a\nd\n'],
  ['previous line, next line', `a\nb\nc${ESC}[1FB${ESC}[1EC\n`, 'a\nB\nC\n'],
  ['a character set shows nothing', `${ESC}(Ba${ESC})0b${ESC}=${ESC}>c`, 'abc'],
  ['modes show nothing', `${ESC}[?25la${ESC}[?25h${ESC}[?2004hb`, 'ab'],
  ['a lone escape shows nothing', `a${ESC}`, 'a'],
  ['a broken sequence loses no text after it', `a${ESC}[3\nb`, 'a\nb'],
];

describe('a terminal', () => {
  test.each(CASES)('%s', (_rule, written, shown) => {
    expect(show([Buffer.from(written)])).toBe(shown);
  });

  test.each(CASES)('%s: one byte at a time', (_rule, written, shown) => {
    expect(show([...Buffer.from(written)].map((byte) => Uint8Array.of(byte)))).toBe(shown);
  });

  test('any cut of any chunk shows the same', () => {
    const all = Buffer.from(CASES.map(([, written]) => `${written}\n`).join(''));
    const whole = show([all]);
    for (let cut = 1; cut < all.length; cut += 3) {
      expect(show([all.subarray(0, cut), all.subarray(cut)])).toBe(whole);
    }
  });

  const WRITTEN_OVER: readonly (readonly [what: string, unit: string, before?: string])[] = [
    ['cursor right', `${ESC}[1000C`],
    ['cursor right by one', `${ESC}[C`],
    ['right and left on a long line', `${ESC}[C${ESC}[D`, 'x'.repeat(60_000)],
    ['up and down between long lines', `${ESC}[A${ESC}[B`, `${'x'.repeat(60_000)}\n`.repeat(3) + 'y'.repeat(60_000)],
    ['up past long lines', `${ESC}[A\n\n`, `${'x'.repeat(60_000)}\n`.repeat(3)],
    ['up and up over many lines', `${ESC}[A${ESC}[A`, 'line\n'.repeat(100_000)],
    ['erase to the left of a long line', `${ESC}[1K`, 'x'.repeat(60_000)],
    ['erase a long line and write', `${ESC}[2Kx`, 'x'.repeat(60_000)],
    ['delete from a long line', `${ESC}[Py\b`, 'x'.repeat(60_000) + `${ESC}[200D`.repeat(300)],
    ['characters of another width', '\ré', 'x'.repeat(60_000)],
    ['bytes that belong to no character', `${ESC}[D\r${ESC}[C`, '\u00bf'.repeat(30_000)],
  ];

  test.each(WRITTEN_OVER)('3 MB of moves take no longer than a text: %s', (_what, unit = '', before = '') => {
    // Quadratic, this would be hours.
    const moves = Buffer.from(before + unit.repeat(Math.ceil(3_000_000 / unit.length)));
    const chunks = Array.from({ length: Math.ceil(moves.length / 65_536) }, (_, i) =>
      moves.subarray(i * 65_536, (i + 1) * 65_536),
    );
    const shown = show([...chunks, Buffer.from('\ndone\n')]);
    expect(shown.endsWith('done\n')).toBe(true);
    expect(shown.length).toBeLessThan(4 * moves.length);
  });

  test('a cursor stops where no terminal is that wide', () => {
    const shown = show([Buffer.from(`${`${ESC}[1000C`.repeat(100)}done\n`)]);
    expect(shown).toBe(`${' '.repeat(1000)}done\n`);
  });

  test('3,000 progress frames are one line', () => {
    const frames = Array.from({ length: 3000 }, (_, i) =>
      Buffer.from(`\r${ESC}[32mfetching${ESC}[0m ${i + 1}/3000 [####    ]`),
    );
    expect(show([...frames, Buffer.from('\n')])).toBe('fetching 3000/3000 [####    ]\n');
  });

  test('2,000 frames of twenty lines are twenty lines', () => {
    const frame = (i: number): string =>
      Array.from({ length: 20 }, (_, row) => `${ESC}[2K\r é layer ${row} ${'='.repeat(row)}> ${i} MB\n`).join('');
    const frames = Array.from({ length: 2000 }, (_, i) => `${i === 0 ? '' : `${ESC}[20A`}${frame(i)}`).join('');
    expect(show([Buffer.from(`begin\n${frames}end\n`)])).toBe(
      `begin\n${frame(1999).replaceAll(`${ESC}[2K\r`, '')}end\n`,
    );
  });

  test('bytes that are no UTF-8 pass through', () => {
    const capture = new Capture(path.join(folder, 'raw'), 1 << 20);
    capture.feed(Uint8Array.of(0xff, 0xfe, 0x41, 0xe9, 0x0a));
    capture.end();
    expect([...capture.read(0, 10)]).toEqual([0xff, 0xfe, 0x41, 0xe9, 0x0a]);
  });

  test('a line without an end is kept whole', () => {
    const line = 'é'.repeat(200_000);
    expect(show([Buffer.from(line)])).toBe(line);
  });
});

describe('a log', () => {
  const lines = Array.from({ length: 60_000 }, (_, i) => `line ${i} ${'x'.repeat(i % 90)}\n`).join('');

  test('gives back every span as it was written', () => {
    const capture = new Capture(path.join(folder, 'log'), 1 << 28);
    const all = Buffer.from(lines);
    for (let at = 0; at < all.length; at += 7919) capture.feed(all.subarray(at, at + 7919));
    expect(capture.size).toBe(all.length);
    for (const [from, to] of [
      [0, 10],
      [65_500, 65_600],
      [131_000, 262_300],
      [all.length - 70_000, all.length + 5],
    ] as const) {
      expect(capture.read(from, to).equals(all.subarray(from, to))).toBe(true);
    }
    capture.close();
  });

  test('past its bound keeps the beginning and the newest, and says what is lost', () => {
    const capture = new Capture(path.join(folder, 'bounded'), 200_000);
    const all = Buffer.from(lines);
    for (let at = 0; at < all.length; at += 50_021) capture.feed(all.subarray(at, at + 50_021));
    capture.end();
    const newest = all.length - (1 << 20);
    expect(capture.size).toBe(all.length);
    expect(capture.lost).toEqual({ from: 200_000, to: newest });
    expect(capture.read(0, 200_000).equals(all.subarray(0, 200_000))).toBe(true);
    expect(capture.read(newest, all.length).equals(all.subarray(newest))).toBe(true);
    capture.close();
  });

  test('that cannot be written keeps the newest', () => {
    const capture = new Capture(path.join(folder, 'no/such/folder'), 1 << 28);
    const all = Buffer.from(lines);
    capture.feed(all);
    capture.end();
    expect(capture.size).toBe(all.length);
    expect(capture.read(all.length - 5000, all.length).equals(all.subarray(-5000))).toBe(true);
  });
});
