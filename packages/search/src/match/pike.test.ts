// The parser and the exact matcher beside the real ripgrep: the same patterns are patterns, and the same lines match.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PatternOptions } from '../syntax/hir.ts';
import { parsePattern } from '../syntax/parse.ts';
import { SearchError } from '../types.ts';
import { compileMatcher } from './pike.ts';

const PLAIN: PatternOptions = { literal: false, ignoreCase: false, word: false, multiline: false };
const FLAGS = { literal: '-F', ignoreCase: '-i', word: '-w', multiline: '-U' } as const;

/** Lines that tell engines apart: ends of line of other systems, bytes that are no text, letters with surprising cases. */
const TEXT = Buffer.concat(
  [
    'plain words foo foobar foo_bar foo-bar barfoo',
    'CRLF line\r',
    'lone\rcarriage return',
    '',
    'next\u0085line para\u2028graph\u2029separator',
    'Kelvin \u212a k K and long \u017f s S',
    'Turkish \u0131 \u0130 i I; sharp \u00df \u1e9e ss SS',
    'Greek \u03c3\u03c2\u03a3 \u03b1\u0345 \u1fb3 \u1fbc; \u01c4\u01c5\u01c6',
    'Cyrillic \u0436\u0416 \u1c88\ua64a\ua64b; Cherokee \u13a0\uab70; Georgian \u10d0\u1c90',
    'e\u0301 \u00e9 combining a\u0300b; zero\u200djoin\u200cer',
    'astral \u{1f600}\u{1f468}\u200d\u{1f469} \u{10400}\u{10428} \u{1d7d8}',
    'digits 0123 \u0663\u096a \uff15 \u00b2 \u2167',
    'spaces a\tb\u000bc\u000cd\u00a0e\u1680f\u2003g\u3000h',
    Buffer.from([0x61, 0xff, 0x62, 0x20, 0xc3, 0x28, 0xe2, 0x82, 0x20, 0xf0, 0x9f, 0x98, 0x66, 0x6f, 0x6f, 0xff]),
    Buffer.from([0xff]),
    Buffer.from([0xc3]),
    Buffer.from([0xed, 0xa0, 0x80, 0x20, 0xc0, 0xaf, 0x20, 0xf4, 0x90, 0x80, 0x80]),
    Buffer.from([0xfe, 0x66, 0x6f, 0x6f, 0xfe, 0x20, 0xa9, 0x66, 0x6f, 0x6f]),
    Buffer.from([0x66, 0x6f, 0x6f, 0xe2, 0x82]),
    Buffer.from('nul \0 byte foo\0bar'),
    'a{2,3} [x] (y) $z ^w \\d a.b a+b a*b a?b |p|',
    `${'long '.repeat(1_000)}needle`,
    'x'.repeat(7_000),
    'a\u00e9b',
    '\u00e9',
    'aaaa',
    'abcabcabc',
    '_',
    ' ',
    '-',
    'mm\u0660m foo\u0301 \u0301foo',
    '\u3042\u30a2\u30fc\u4e00 \uac00\u1100',
    '#include <stdio.h>',
    '  return value; // done',
    'http://example.org/path?q=1&r=%20',
  ].flatMap((line) => [Buffer.from(line), Buffer.from('\n')]),
);

/** Patterns both engines take, or both refuse. */
const PATTERNS = String.raw`
foo|\bfoo\b|^foo|foo$|^$|^|$||.|..|.*|.+|a.b|foo.|.foo|\Bfoo|foo\B|\bfoo|foo\b|^.$|^..$|^.{3}$|^.{0,2}$|\A|\z|\Afoo|o\z|\Aplain|^\w+$|^\W+$|^\s+$|^\S+$|^\s*$|^\D+$
\d|\D|\s|\S|\w|\W|\d+|\s\s|\w\W\w|[\d]|[^\d]|[\s\S]|[^\s\S]|[\w\W]|[^\w]|[^\W]|[^\S]|[\d\s]|\b|\B|^\b|\b$|^\B|\B$|\b\b|\b\B|\b{start}|\b{end}|\b{start-half}|\b{end-half}|\<|\>|\<foo\>|\b{start}foo\b{end}|\b{start-half}foo\b{end-half}|^\b{end-half}
(?-u)\d|(?-u)\D|(?-u)\s|(?-u)\S|(?-u)\w|(?-u)\W|(?-u)\b|(?-u)\B|(?-u:\B)foo|(?-u)foo\b|(?-u).|^(?-u:.)$|^(?-u:..)$|^(?-u:...)$|(?-u)\xff|(?-u)[\xff]|(?-u)[\x80-\xff]|(?-u)[^a]|^(?-u:[^a])$|(?-u)\xc3\xa9|(?-u)\xc3|(?-u)[\xc3][^\xa9]|(?-u:\xff)b|(?-u)\x{e9}|(?-u)é|(?-u)é+|(?-u)\u00e9|(?-u)[[:alpha:]]\xff|(?-u:\xff).|.(?-u:\xff)|(?-u:\b{start})foo|(?-u:\b{end-half})|(?-u:\<)a|^(?-u:\B)|(?-u:\w+)(?-u:\B)
(?i)k|(?i)K|(?i)\u212a|(?i)s|(?i)ſ|(?i)ß|(?i)ẞ|(?i)ss|(?i)ı|(?i)İ|(?i)i|(?i)σ|(?i)ς|(?i)Σ|(?i)ж|(?i)ǆ|(?i)ǅ|(?i)ᲈ|(?i)Ꙋ|(?i)ა|(?i)Ა|(?i)ꭰ|(?i)Ꭰ|(?i)𐐀|(?i)[k]|(?i)[a-z]+$|(?i)[^k]|^(?i)[^a-z]+$|(?i)[j-l]|(?i)[K-K]|(?i-u)k|(?i-u)[a-k]|(?i-u)é|(?i)foo(?-i)BAR|(?i:FOO)bar|(?i:FOO)BAR|(?i)\x4b|(?i)\p{Lu}|(?i)\p{Ll}|(?i)\P{Lu}|(?i)[^\p{Lu}]|(?i)[[:upper:]]|(?i)[[:^upper:]]|(?i)[a-z--k]|(?i)[a-z&&k]|(?i)[a-z~~k]|(?i)ͅ|(?i)ᾳ
[abc]|[a-c]+|[^abc]|[]]|[^]]|[]a]|[a]]|[-a]|[a-]|[a-c-e]|[--a]|[---]|[a--b]|[a-c--b]|[a-z&&[aeiou]]+|[a-z&&[^aeiou]]|[\w--\d]|[\w&&\d]|[\w~~\d]|[a&&b]|[a[bc]]|[^a[bc]]|[[a]]|[[a][b]]|[a-z&&b-y--c]|[[:alpha:]]|[[:^alpha:]]|[[:word:]]|[[:foo:]]|[[:alpha]]|[[:digit:][:space:]]|[:alpha:]|[[:xdigit:]]{4}|[[:punct:]]|[[:cntrl:]]|[[:blank:]]|[[:graph:]]|[[:print:]]|[[:ascii:]]|[[:^ascii:]]|[[:lower:]]|[[:alnum:]]+|[\]]|[\[]|[\-]|[\^]|[a\-z]|[\\]|[&]|[&&]|[~~]|[&&a]|[a&&]|[a-z&&]|[^a&&b]|[^[^a]]|[.]|[$]|[*+?]|[(]|[{}]|[#]|[ ]|[\x41-\x5A]|[\u{1f600}]|[😀-😂]|[^😀]|[à-ÿ]|[\x{D7FF}-\x{E000}]
\p{L}|\pL|\PL|\p{Lu}|\p{Uppercase_Letter}|\p{uppercaseletter}|\p{Letter}|\p{Greek}|\p{Cyrillic}|\p{sc=Greek}|\p{scx=Greek}|\p{Script=Han}|\p{Script_Extensions=Hira}|\p{gc=Nd}|\p{General_Category:Nd}|\p{Alphabetic}|\p{White_Space}|\p{Emoji}|\p{Any}|\p{ASCII}|\p{Assigned}|\P{Assigned}|\p{Cn}|\p{Age=6.0}|\P{Age=3.2}|\p{gcb=Extend}|\p{wb=MidLetter}|\p{sb=Lower}|\p{XIDS}|\p{LC}|\p{L_}|\p{isGreek}|\p{Is_Greek}|\p{cf}|\p{sc}|\p{Han}|\p{Hangul}|\p{Katakana}|\p{N}|\pN|\p{Nl}|\p{No}|\p{M}|\p{Zs}|\p{Co}|\p{Lowercase}|\p{Dash}|\p{Hex}|\p{punct}|\p{digit}|\p{space}|\p{cntrl}|[\p{L}\p{N}]|[^\p{L}]|[\p{L}&&\p{Greek}]|[\p{L}--\p{Lu}]|\p{Zzzz}|\p{Common}|\p{Cased}|\p{Extender}
a*|a+|a?|a{2}|a{2,}|a{2,3}|^a{4}$|^a{5}|(?:abc){3}|(?:abc){4}|(abc)+|a*?|a+?|a??|a{2}?|(a|b)*|(a*)*|(a+)+b|(?:)*|()*|(|a)+|(a||b)|a**|a{2}{2}|a{0}|^a{0}$|x{1000}|x{70}|(?:a?){30}a{4}|^(a|aa)+$|(?:a{0,3}){0,3}b|(?U)a+|(?U)a+?|a{ 2 }|a{2 ,3}|\b+|^*|$+|\b{2}|(?:^)*foo|(?:^|x)foo
ab|cd|foo|bar|foo|foobar|(foo|foobar)$|(?:a|b|c)d|(a)(b)|(?P<n>a)b|(?<n>a)b|(?<n_1.x[]>a)|(?<é>a)|(?m)^a|(?-m)^a|(?-m)o$|(?s).|(?s)a.b|(?x: f o o )bar|(?x)[ a b ]|(?x)a\ b|(?x)\x 4 1|(?ix)F O O|(?R)e$|(?R)line$|(?R)^.|(?R).$|(?R)^carriage|(?R)return$|(?i-s:FOO)|(?i)(?-i)foo|((?i)FOO)BAR|((?i)FOO)bar|a(?i)B|(?i)a|B
\a|\f|\t|\n?x|\r|\v|\x61|\x{61}|\x{1F600}|\u0061|\u{61}|\U00000061|\U0001F600|\x00|\.|\*|\[|\]|\{|\}|\(|\)|\^|\$|\?|\+|\/|\-|\"|\'|\#|\ |\&|\~|\!|\@|\%|\:|\;|\,|\=|\_|\\d|\\|}|]|a}|a]|a-b|a,b|~|#include|\#include|http://\S+|\breturn\b|(\w+)\s(\w+)|^\s*return|"[^"]*"|\bfoo_\w+|[A-Z][a-z]+|[a-z]+\d|\w{5,}|.{80,}|needle$|long.*needle|x{200}$|é|^é$|a.b$|\u00e9|.é|é.|[é]|ſ|😀|👨‍👩`;

/** Texts that are no pattern to ripgrep, by themselves. */
const BROKEN = [
  ...String.raw`( [ { * + ? {1} a{ a{1 a{1, a{1,2 a{,3} a{b} a{2,1} a{1,2}{ a{99999999999} (? (?) (?y) (?i (?i- (?i-) (?ii) (?i--s) (?-) (?: (?P (?P< (?P<a (?P<a> (?P<>a) (?P<1>a) (?P<a-b>a) (?<n>a)(?<n>b) (?P=n) (?=a) (?!a) (?<=a) (?<!a) (?>a) (?#c) \ \1 \8 \0 \Q \E \Z \G \K \h \H \R \X \N \e \c \C \y \é \x \xg \x{ \x{} \x{g} \x{110000} \x{D800} \uD800 \u12 \U0000 \x1 \p \p{ \p{} \p{Foo} \p{^Greek} \p{sc=Foo} \p{foo=bar} \p{age=NA} \p{age=99.0} \pX \p{isc} \p{Greek \P{ \p\d [a [^ [] [^] [a-\d] [\d-a] [z-a] [\b] [\A] [a-\B] [[a] [[:alpha:] [a&& [\Q] [\1] (?-u)\pL (?-u)[é] (?-u)[\x{ff}] (?-u)[a-é] (?-u)\p{Greek} |* (|* (?i)* (?i){2} \b{ \b{foo} \b{start \b{start-} \b{2 \w{1000}{1000} \n a\nb [\n] \x0A \u{A} (?:\n)+ a|b\n ${'('.repeat(300)}`.split(
    ' ',
  ),
  '(?x: a ',
  '(?x)a # b(\n(',
  'a\nb',
  `${'('.repeat(251)}${')'.repeat(251)}`,
  `${'['.repeat(251)}a${']'.repeat(251)}`,
  `a${'*'.repeat(251)}`,
];
/** Deep, but not too deep. */
const DEEP = [`${'('.repeat(249)}a${')'.repeat(249)}`, `a${'*'.repeat(249)}`, `${'['.repeat(249)}a${']'.repeat(249)}`];

let folder = '';
let file = '';

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pike-'));
  file = path.join(folder, 'text');
  writeFileSync(file, TEXT);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function flagsOf(options: PatternOptions): string[] {
  return (['literal', 'ignoreCase', 'word', 'multiline'] as const)
    .filter((name) => options[name])
    .map((name) => FLAGS[name]);
}

/** Numbers of matching lines by pattern. One shell starts them all, which is far cheaper than starting each from here. */
function ripgrep(all: readonly string[], options: PatternOptions): string[] {
  const script = 'for p do "$RG" --no-config -j1 -a -n -M9 $FLAGS -e "$p" "$FILE" 2>/dev/null; echo "end $?"; done';
  const env = { RG: rgPath, FLAGS: flagsOf(options).join(' '), FILE: file };
  const { stdout } = spawnSync('/bin/sh', ['-c', script, 'sh', ...all], {
    encoding: 'latin1',
    maxBuffer: 1 << 28,
    env,
  });
  const found: string[] = [];
  let lines: string[] = [];
  for (const line of stdout.split('\n')) {
    const end = /^end (\d)$/.exec(line);
    if (end === null) lines.push(/^(\d+):/.exec(line)?.[1] ?? '');
    else {
      found.push(end[1] === '2' ? 'no pattern' : lines.filter(Boolean).join(' '));
      lines = [];
    }
  }
  return found;
}

function ours(pattern: string, options: PatternOptions): string {
  let matcher;
  try {
    matcher = compileMatcher(parsePattern(pattern, options));
  } catch (error) {
    if (error instanceof SearchError && error.code === 'PATTERN') return 'no pattern';
    throw error;
  }
  const found: number[] = [];
  let line = 1;
  for (let from = 0; from < TEXT.length; line++) {
    const end = TEXT.indexOf(10, from);
    if (matcher.test(TEXT, from, end)) found.push(line);
    from = end + 1;
  }
  return found.join(' ');
}

function differences(all: readonly string[], options: PatternOptions): string[] {
  const theirs = ripgrep(all, options);
  expect(theirs.length).toBe(all.length);
  return all.flatMap((pattern, i) => {
    const mine = ours(pattern, options);
    return mine === theirs[i] ? [] : [`${flagsOf(options).join(' ')} ${pattern}: ripgrep ${theirs[i]}; here ${mine}`];
  });
}

const patterns = PATTERNS.trim()
  .split('\n')
  .flatMap((line) => [line, ...line.split('|')]);

/** Where matches that are not empty begin. */
function startsOf(pattern: string): string {
  const matcher = compileMatcher(parsePattern(pattern, PLAIN));
  const starts: number[] = [];
  for (let from = 0; from < TEXT.length; from = TEXT.indexOf(10, from) + 1) {
    const spans = matcher.spans(TEXT, from, TEXT.indexOf(10, from), Infinity);
    for (let i = 0; i < spans.length; i += 2) if (spans[i]! < spans[i + 1]!) starts.push(spans[i]!);
  }
  return starts.join(' ');
}

// Hundreds of processes: slow where many share the machine.
describe('the dialect is ripgrep’s', { timeout: 240_000 }, () => {
  test('the same lines match', () => {
    expect(patterns.length).toBeGreaterThan(440);
    expect(differences([...patterns, ...DEEP], PLAIN)).toEqual([]);
  });

  test('case is ignored alike', () => {
    expect(
      differences(
        patterns.filter((_, i) => i % 5 === 0),
        { ...PLAIN, ignoreCase: true },
      ),
    ).toEqual([]);
  });

  test('words are bounded alike', () => {
    expect(
      differences(
        patterns.filter((_, i) => i % 5 === 1),
        { ...PLAIN, word: true },
      ),
    ).toEqual([]);
  });

  test('text is taken literally alike', () => {
    const some = patterns.filter((_, i) => i % 12 === 0);
    expect(differences(some, { ...PLAIN, literal: true })).toEqual([]);
    expect(differences(some, { ...PLAIN, literal: true, ignoreCase: true, word: true })).toEqual([]);
  });

  test('the same parts of lines match', () => {
    const some = [
      'a*',
      'a+?',
      'a|ab',
      '(?:foo|foobar)',
      String.raw`\w+`,
      String.raw`\W+`,
      '.',
      'o+|[^o]',
      '(?U)o+',
      '[^ ]*',
      'x{3}',
      String.raw`\bfoo\b`,
      '(?-u).',
      String.raw`(?-u)\xff?`,
      'é',
      '(?i)K',
      '(a*)*b?',
      '(|a)+',
      '(a|b)??c?',
      String.raw`\B.`,
    ];
    const script = 'for p do "$RG" --no-config -j1 -a -o -b -e "$p" "$FILE"; echo "end"; done';
    const env = { RG: rgPath, FILE: file };
    const { stdout } = spawnSync('/bin/sh', ['-c', script, 'sh', ...some], {
      encoding: 'latin1',
      maxBuffer: 1 << 28,
      env,
    });
    const theirs: string[][] = [[]];
    for (const line of stdout.split('\n')) {
      if (line === 'end') theirs.push([]);
      else theirs.at(-1)!.push(...(/^(\d+):[^]/.exec(line)?.slice(1) ?? []));
    }
    for (const [i, pattern] of some.entries()) {
      expect(`${pattern}: ${startsOf(pattern)}`).toBe(`${pattern}: ${theirs[i]!.join(' ')}`);
    }
  });

  test('the same texts are no patterns', () => {
    const accepted = BROKEN.filter((pattern) => ours(pattern, PLAIN) !== 'no pattern');
    expect(accepted).toEqual([]);
    expect(ripgrep(BROKEN, PLAIN).every((found) => found === 'no pattern')).toBe(true);
  });
});
