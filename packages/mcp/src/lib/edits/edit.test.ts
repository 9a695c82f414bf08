// The edit engine by properties: whatever the bytes, only the asked place changes.
import { array, assert, constantFrom, integer, property, record, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { ToolError } from '@hanzo/tool';
import { hashOf } from './disk/hash.ts';
import type { Snapshot } from './disk/snapshot.ts';
import { asText, replaceText } from './edit.ts';
import { applyHunks } from './patch/apply.ts';
import type { HunkLine } from './patch/change.ts';
import { byteSpan, decode, detectAll, encode, type Encoding } from './text/encoding.ts';
import { common } from './text/replace.ts';

const asSnapshot = (bytes: Buffer): Snapshot => ({
  file: '/x',
  bytes,
  hash: hashOf(bytes),
  // the engine reads nothing of it
  stat: undefined as never,
});

const piece = constantFrom(
  'a',
  'b',
  'ab',
  ' ',
  '\t',
  '\n',
  '\r\n',
  'é',
  '“',
  '”',
  '\u00a0',
  '😀',
  '$&',
  'foo();',
  '}',
  '\u200b',
  '-',
  '…',
);
const raw = constantFrom(
  0x00,
  0x0a,
  0x0d,
  0x20,
  0x41,
  0x80,
  0x93,
  0xc3,
  0xa9,
  0xe2,
  0xed,
  0xef,
  0xbb,
  0xbf,
  0xf0,
  0xfe,
  0xff,
);

test('decoding loses nothing: every stretch of text leads back to its bytes', () => {
  assert(
    property(array(raw, { maxLength: 40 }), (values) => {
      const bytes = Buffer.from(values);
      const format = detectAll(bytes);
      const text = decode(bytes.subarray(format.mark), format);
      const odd = format.encoding.startsWith('utf-16') ? (bytes.length - format.mark) % 2 : 0;
      expect(byteSpan(text, 0, text.length, format)).toBe(bytes.length - format.mark - odd);
      if (!format.invalid && text.isWellFormed()) {
        const back = encode(text, format.encoding);
        expect(
          Buffer.concat([bytes.subarray(0, format.mark), back, bytes.subarray(bytes.length - odd)]).equals(bytes),
        ).toBe(true);
      }
    }),
    { numRuns: 2000 },
  );
});

test('an edit changes its place and no other byte, in every encoding', () => {
  const encodings = constantFrom<Encoding>('utf-8', 'utf-16le', 'utf-16be');
  assert(
    property(
      record({
        before: array(piece, { maxLength: 15 }),
        old: array(piece, { minLength: 1, maxLength: 6 }),
        after: array(piece, { maxLength: 15 }),
        fresh: array(piece, { maxLength: 6 }),
        encoding: encodings,
      }),
      ({ before, old, after, fresh, encoding }) => {
        const mark = encoding === 'utf-8' ? '' : '\ufeff';
        const [head, place, tail] = [before, old, after].map((each) => each.join('')) as [string, string, string];
        // a lone CR never arises from these pieces, so a place never cuts a CRLF in two
        const bytes = encode(mark + head + place + tail, encoding);
        const wanted = place.replaceAll('\r\n', '\n');
        const replacement = fresh.join('');
        let edit;
        try {
          edit = replaceText(asSnapshot(bytes), wanted, replacement, undefined);
        } catch (error) {
          expect(error).toBeInstanceOf(ToolError);
          expect((error as ToolError).code).toBe('INVALID_PARAMS');
          return;
        }
        expect(edit.strategy).toBe('exact');
        const from = encode(mark + head, encoding).length;
        const back = encode(tail, encoding).length;
        expect(edit.bytes.subarray(0, from).equals(bytes.subarray(0, from))).toBe(true);
        expect(edit.bytes.subarray(edit.bytes.length - back).equals(bytes.subarray(bytes.length - back))).toBe(true);
        const written = decode(edit.bytes.subarray(from, edit.bytes.length - back), {
          encoding,
          mark: 0,
          invalid: false,
          binary: false,
        });
        expect(written.replaceAll('\r\n', '\n')).toBe(replacement.replaceAll('\r\n', '\n'));
      },
    ),
    { numRuns: 1500 },
  );
});

test('any text and any call end in an edit or in a refusal of the closed list', () => {
  assert(
    property(
      array(raw, { maxLength: 60 }),
      array(piece, { maxLength: 5 }),
      array(piece, { maxLength: 5 }),
      (values, old, fresh) => {
        const bytes = Buffer.from(values);
        try {
          const edit = replaceText(asSnapshot(bytes), old.join(''), fresh.join(''), undefined);
          expect(edit.hash).toBe(hashOf(edit.bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(ToolError);
          expect(['NOT_FOUND', 'INVALID_PARAMS']).toContain((error as ToolError).code);
        }
      },
    ),
    { numRuns: 2000 },
  );
});

test('a hunk made of two texts turns the one into the other, whatever its line ends', () => {
  const line = constantFrom('a', 'b', 'c', '', '  d', '}', 'é');
  const end = constantFrom('\n', '\r\n');
  assert(
    property(
      array(line, { minLength: 1, maxLength: 12 }),
      array(line, { maxLength: 12 }),
      end,
      integer({ min: 0, max: 1 }),
      (old, fresh, eol, closed) => {
        const join = (lines: readonly string[]): string =>
          lines.map((each, i) => each + (i < lines.length - 1 || closed ? eol : '')).join('');
        if (join(old) === '' || old.at(-1) === '' || fresh.at(-1) === '') return;
        const lines: HunkLine[] = [];
        let [i, j] = [0, 0];
        for (const [o, f] of [...common(old, fresh), [old.length, fresh.length] as const]) {
          for (; i < o; i++) lines.push({ sign: '-', text: old[i]! });
          for (; j < f; j++) lines.push({ sign: '+', text: fresh[j]! });
          if (o < old.length) lines.push({ sign: ' ', text: old[o]! });
          [i, j] = [o + 1, f + 1];
        }
        if (!lines.some((each) => each.sign !== ' ')) return;
        // a text without any line end gives no style to follow
        if (!closed && old.length === 1 && eol !== '\n') return;
        // removing the last line leaves the line above with the end it had
        const last = lines.at(-1)!;
        if (!closed && last.sign === '-') return;
        const applied = applyHunks(
          asText(Buffer.from(join(old))),
          [{ contexts: [], lines, atEnd: false, from: 1 }],
          '/x',
        );
        expect(applied.bytes.toString()).toBe(join(fresh));
      },
    ),
    { numRuns: 2000 },
  );
});

test('names of differences, lines of places: what is refused is told in the file’s own numbers', () => {
  const line = constantFrom('x', 'y', 'zz');
  assert(
    property(array(tuple(line, constantFrom('\n', '\r\n')), { minLength: 2, maxLength: 20 }), (lines) => {
      const bytes = Buffer.from(lines.map((each) => each.join('')).join(''));
      const expected = lines.flatMap(([text], i) => (text === 'x' ? [i + 1] : []));
      if (expected.length < 2) return;
      try {
        replaceText(asSnapshot(bytes), 'x\n', 'q\n', undefined);
        expect.unreachable();
      } catch (error) {
        expect((error as ToolError).details).toMatchObject({ matches: expected.length, lines: expected });
      }
    }),
  );
});
