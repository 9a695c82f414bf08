import { isUtf8 } from 'node:buffer';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePattern } from '../syntax/parse.ts';
import type { PatternOptions } from '../syntax/hir.ts';
import { ScanKernel } from './kernel.ts';
import { PLAIN, exactLines, exactlyTouched, patternOptions, patterns, texts, treeOf } from './testkit.ts';
import { createScanner, readRoom } from './scanner.ts';
import { makeSpec } from './spec.ts';
import { FOLDS_TO_ASCII, NON_ASCII, NUL, UTF16, UTF8_MARK } from './types.ts';
import type { LineScanner } from './types.ts';

const kernel = new ScanKernel();
const RUNS = Number(process.env['SCANNER_RUNS'] ?? 250);

function scannerOf(pattern: string, options: Partial<PatternOptions> = {}): LineScanner {
  const all = { ...PLAIN, ...options };
  return createScanner(makeSpec(parsePattern(pattern, all), all), kernel);
}

function linesOf(scanner: LineScanner, text: Uint8Array, limit = Infinity): { count: number; lines: number[] } {
  scanner.room(text.length).set(text);
  // the texts of these tests start with no mark
  const flags = flagsOf(text);
  return { count: scanner.count(text.length, flags), lines: [...scanner.lines(text.length, flags, limit).spans] };
}

function flagsOf(text: Uint8Array): number {
  const bytes = Buffer.from(text);
  const folds = bytes.includes('\u212a') || bytes.includes('\u017f');
  return (
    (bytes.some((byte) => byte > 127) ? NON_ASCII : 0) | (bytes.includes(0) ? NUL : 0) | (folds ? FOLDS_TO_ASCII : 0)
  );
}

/** The lines as text. */
function found(scanner: LineScanner, text: string): string[] {
  const bytes = Buffer.from(text);
  const { lines } = linesOf(scanner, bytes);
  const out: string[] = [];
  for (let i = 0; i < lines.length; i += 2) out.push(bytes.toString('utf8', lines[i], lines[i + 1]));
  return out;
}

describe('the scanner answers what the exact matcher answers', () => {
  it('line by line', () => {
    fc.assert(
      fc.property(
        patterns,
        patternOptions,
        fc.array(texts, { minLength: 1, maxLength: 4 }),
        (pattern, options, all) => {
          const hir = treeOf(pattern, options);
          fc.pre(hir !== undefined);
          const scanner = createScanner(makeSpec(hir, { multiline: false }), kernel);
          for (const text of all) {
            const expected = exactLines(hir, text);
            expect(linesOf(scanner, text)).toEqual({ count: expected.length / 2, lines: expected });
          }
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('for matches that cross lines', () => {
    fc.assert(
      fc.property(patterns, patternOptions, fc.boolean(), texts, (pattern, options, dotAll, text) => {
        const hir = treeOf(`${dotAll ? '(?s)' : ''}${pattern}`, { ...options, multiline: true });
        fc.pre(hir !== undefined);
        const spec = makeSpec(hir, { multiline: true });
        const scanner = createScanner(spec, kernel);
        // a pattern that cannot leave its line is searched line by line, where an empty match between broken bytes counts
        const expected = spec.multiline || isUtf8(text) ? exactlyTouched(hir, text) : exactLines(hir, text);
        expect(linesOf(scanner, text)).toEqual({ count: expected.length / 2, lines: expected });
      }),
      { numRuns: RUNS },
    );
  });

  it('for literals, whatever their bytes and wherever they stand', () => {
    const word = fc.oneof(
      fc.string({ minLength: 1, maxLength: 300, unit: fc.constantFrom('a', 'b', 'K', 's', '_', '-') }),
      fc.string({ minLength: 1, maxLength: 6, unit: fc.constantFrom('a', 'B', 'k', 'é', '日', '-', ' ') }),
    );
    const options = fc.record({ ignoreCase: fc.boolean(), word: fc.boolean() });
    fc.assert(
      fc.property(word, options, fc.array(texts, { maxLength: 6 }), fc.boolean(), (literal, how, around, upper) => {
        const all = { ...PLAIN, ...how, literal: true };
        const hir = parsePattern(literal, all);
        const text = Buffer.concat(
          around.flatMap((piece) => [piece, Buffer.from(upper ? literal.toUpperCase() : literal)]),
        );
        const expected = exactLines(hir, text);
        const scanner = createScanner(makeSpec(hir, { multiline: false }), kernel);
        expect(linesOf(scanner, text)).toEqual({ count: expected.length / 2, lines: expected });
      }),
      { numRuns: RUNS },
    );
  });

  it('for several literals at once', () => {
    const word = fc.string({ minLength: 1, maxLength: 20, unit: fc.constantFrom('a', 'b', 'K', 's', '_') });
    const words = fc.array(word, { minLength: 2, maxLength: 9 });
    fc.assert(
      fc.property(words, patternOptions, texts, fc.nat(9), (alternatives, options, text, pick) => {
        const hir = parsePattern(alternatives.join('|'), options);
        const whole = Buffer.concat([text, Buffer.from(alternatives[pick % alternatives.length]!), text]);
        const expected = exactLines(hir, whole);
        const scanner = createScanner(makeSpec(hir, { multiline: false }), kernel);
        expect(linesOf(scanner, whole)).toEqual({ count: expected.length / 2, lines: expected });
      }),
      { numRuns: RUNS },
    );
  });
});

describe('lines', () => {
  it('end at a line feed only; a carriage return belongs to the line', () => {
    expect(found(scannerOf('foo$'), 'foo\r\nfoo\nfoo')).toEqual(['foo', 'foo']);
    expect(found(scannerOf('(?R)foo$'), 'foo\r\nfoox\n')).toEqual(['foo\r']);
    expect(found(scannerOf('a.b'), 'a\rb\na\nb')).toEqual(['a\rb']);
  });

  it('an empty text has none, and nothing follows the last line end', () => {
    for (const pattern of ['', '^', '$', 'x*', 'foo']) {
      expect(linesOf(scannerOf(pattern), Buffer.alloc(0))).toEqual({ count: 0, lines: [] });
    }
    expect(linesOf(scannerOf('^$'), Buffer.from('a\n'))).toEqual({ count: 0, lines: [] });
    expect(linesOf(scannerOf('^$'), Buffer.from('\n\n'))).toEqual({ count: 2, lines: [0, 0, 1, 1] });
  });

  it('are at most as many as asked for, from the first', () => {
    const text = Buffer.from('foo\n'.repeat(20_000));
    for (const pattern of ['foo', 'fo+', '[a-f]o*', '']) {
      const scanner = scannerOf(pattern);
      expect(linesOf(scanner, text, 3).lines).toEqual([0, 3, 4, 7, 8, 11]);
      const all = linesOf(scanner, text);
      expect(all.count).toBe(20_000);
      expect(all.lines.length).toBe(40_000);
      expect(all.lines.slice(-2)).toEqual([79_996, 79_999]);
    }
  });

  it('are found in texts of more doubts than the kernel lists at once', () => {
    const text = Buffer.from('é_foo bar\né foo\n'.repeat(10_000));
    expect(linesOf(scannerOf('foo', { word: true }), text).count).toBe(10_000);
    expect(linesOf(scannerOf('\\w{3} bar'), text).count).toBe(10_000);
  });

  it('may be long: a line of megabytes is one line', () => {
    const text = Buffer.concat([Buffer.alloc(3 << 20, 'ab '), Buffer.from('\nfoo'), Buffer.alloc(2 << 20, 'x')]);
    expect(linesOf(scannerOf('b a'), text)).toEqual({ count: 1, lines: [0, 3 << 20] });
    expect(linesOf(scannerOf('foo.*x$'), text).count).toBe(1);
    expect(linesOf(scannerOf('[q-z]{100}'), text).count).toBe(1);
  });
});

describe('a pattern too large for the automaton', () => {
  it('is decided by the exact matcher, on lines with a needle if there is one', () => {
    const long = 'abc'.repeat(22_000);
    const scanner = scannerOf('foo(?:[abc]{66}){1000}');
    expect(found(scanner, `foo${long.slice(1)}\nfoo${long}\nfoo\nbar`)).toEqual([`foo${long}`]);
    expect(found(scannerOf('^[f](?:[o-p]{66}){1000}'), 'foo\nbar')).toEqual([]);
  });
});

describe('case', () => {
  it('KELVIN SIGN and LONG S are k and s where case is ignored', () => {
    const text = '\u212aelvin\nKELVIN\nme\u017f\u017f\nkelvi\n';
    expect(found(scannerOf('kelvin', { ignoreCase: true }), text)).toEqual(['\u212aelvin', 'KELVIN']);
    expect(found(scannerOf('MESS', { ignoreCase: true }), text)).toEqual(['me\u017f\u017f']);
    expect(found(scannerOf('kelvin'), text)).toEqual([]);
  });
});

describe('word boundaries', () => {
  it('beside a character that is not ASCII are decided by the exact matcher', () => {
    const text = 'éfoo\n-foo-\nfoo—\nfoo foobar\nbarfoo éfoo foo\n';
    expect(found(scannerOf('foo', { word: true }), text)).toEqual(['-foo-', 'foo—', 'foo foobar', 'barfoo éfoo foo']);
    expect(found(scannerOf('\\bfoo\\b'), text)).toEqual(['-foo-', 'foo—', 'foo foobar', 'barfoo éfoo foo']);
  });
});

describe('normalise', () => {
  const normalised = (bytes: Uint8Array): { text: string; flags: number } => {
    const scanner = scannerOf('x');
    scanner.room(bytes.length).set(bytes);
    const { length, flags } = scanner.normalise(bytes.length);
    return { text: Buffer.from(scanner.room(length).subarray(0, length)).toString(), flags };
  };
  it('takes a UTF-8 mark off', () => {
    expect(normalised(Buffer.from('\ufeffabc'))).toEqual({ text: 'abc', flags: UTF8_MARK });
    expect(normalised(Buffer.from('\ufeffé\ufeff'))).toEqual({ text: 'é\ufeff', flags: UTF8_MARK | NON_ASCII });
  });
  it('turns marked UTF-16 into UTF-8, which may be longer than the file', () => {
    const text = `日本\nabc${'語'.repeat(900_000)}`;
    const little = Buffer.from(`\ufeff${text}`, 'utf16le');
    expect(normalised(little)).toEqual({ text, flags: UTF16 | NON_ASCII });
    expect(normalised(Buffer.from(little).swap16())).toEqual({ text, flags: UTF16 | NON_ASCII });
    const { text: broken } = normalised(Buffer.from([0xff, 0xfe, 0x41, 0, 0, 0xd8, 0x42]));
    expect(broken).toMatch(/^A\ufffd+$/);
  });
  it('tells a NUL anywhere, bytes above 127 and what folds to ASCII', () => {
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 4 }), (parts) => {
        const text = Buffer.concat([Buffer.from('.'), ...parts]);
        expect(normalised(text).flags).toBe(flagsOf(text));
      }),
      { numRuns: 250 },
    );
  });
});

describe('one kernel', () => {
  it('serves scanners by turns', () => {
    const scanners = ['foo', '[a-o]+o$', 'bar|foo', 'o+ b'].map((pattern) => scannerOf(pattern));
    const text = Buffer.from('foo\nbar\nfoo bar\n');
    const once = scanners.map((scanner) => linesOf(scanner, text));
    expect(once.map(({ count }) => count)).toEqual([2, 1, 3, 1]);
    for (let i = 0; i < 3; i++) expect(scanners.map((scanner) => linesOf(scanner, text))).toEqual(once);
  });

  it('keeps its automaton while its memory grows', () => {
    const own = createScanner(makeSpec(parsePattern('[a-f]+x', PLAIN), PLAIN));
    expect(linesOf(own, Buffer.from('abx\n')).count).toBe(1);
    const large = Buffer.alloc(3 << 20, 'abcabcx yy\n');
    expect(linesOf(own, large, 0).count).toBe(Math.floor(large.length / 11));
  });
});

describe('readRoom', () => {
  it('reads a range of a file, or what there is of it', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'scanner-'));
    const file = path.join(folder, 'file');
    writeFileSync(file, 'one\ntwo\nthree\n');
    const fd = openSync(file, 'r');
    try {
      const scanner = scannerOf('t');
      expect(readRoom(scanner, fd, 4, 4)).toBe(4);
      expect(scanner.count(4, 0)).toBe(1);
      expect(readRoom(scanner, fd, 4, 100)).toBe(10);
      expect(scanner.count(10, 0)).toBe(2);
    } finally {
      closeSync(fd);
      rmSync(folder, { recursive: true });
    }
  });
});
