// What is searched for in the differential test: patterns written by hand, by class. Data only; random.ts makes the others.
import type { Query } from '../src/index.ts';

export interface PatternClass {
  readonly name: string;
  readonly queries: readonly Query[];
  /** ripgrep takes seconds for these on a real tree */
  readonly hostileOnly?: boolean;
}

/** `flags` are ripgrep's letters: F literal, i ignore case, w word, U multiline. */
export function queries(flags: string, patterns: readonly string[]): Query[] {
  return patterns.map((pattern) => ({
    pattern,
    ...(flags.includes('F') ? { literal: true } : {}),
    ...(flags.includes('i') ? { ignoreCase: true } : {}),
    ...(flags.includes('w') ? { word: true } : {}),
    ...(flags.includes('U') ? { multiline: true } : {}),
  }));
}

const raw = (text: TemplateStringsArray): string[] =>
  String.raw(text)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

export const HAND_WRITTEN: readonly PatternClass[] = [
  {
    name: 'literals of one, two, three and more bytes',
    queries: queries('', [
      ...raw`
      a
      z
      Q
      7
      _
      ;
      ab
      ??
      if
      =>
      zq
      abc
      foo
      xyz
      qqq
      need
      needle
      return
      function
      import
      "
      ""
      ' '
      export const
      the quick brown fox jumps over the lazy dog
      needle_with_tail
      zzqqxyzzyplugh
      is not supported
      string
      xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
      aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa`,
      ' ',
      '  ',
      '    indented',
      '\t',
      '\t\t',
      'é',
      'ü',
      '日',
      '日本',
      '😀',
      '\u00a0',
      '\u212a',
    ]),
  },
  {
    name: 'literal text that looks like an expression',
    queries: [
      ...queries('F', [
        ...raw`
        a.b*c
        .*+?^$()[]{}|\
        ??
        ?
        $
        ^
        (
        )
        [
        [1, 2][0]
        {x: 1}
        |
        a|b
        \
        \n
        \n\t\x41
        \w
        *
        .*
        foo(bar
        function foo() {
        (?i)needle
        $x ? a
        (?
        *)
        //
        /**
        );
        \\
        [^`,
        '',
        ' ',
      ]),
      ...queries('Fi', ['NEEDLE', 'FOO(BAR', 'A.B*C', 'K', 'ſ', 'JÜRGEN', '[A', 'RETURN ', 'ß', 'ΣΊΣΥΦΟΣ']),
      ...queries('Fw', ['foo', 'foo.bar', 'a', '$x', '??', 'needle', '(bar', 'Jürgen', 'foo ', '']),
      ...queries('Fiw', ['FOO', 'Needle', 'K', 'STRASSE', 'JÜRGEN']),
    ],
  },
  {
    name: 'case ignored, with the letters that fold to ASCII',
    queries: queries('i', [
      ...raw`
      needle
      NEEDLE
      NeEdLe
      k
      s
      K
      S
      kk
      ss
      ks
      kelvin
      class
      miss
      base
      return_s
      foo\wbar
      fookbar
      str
      straße
      strasse
      jürgen
      JÜRGEN
      ångström
      σίσυφος
      ΣΊΣΥΦΟΣ
      мир
      istanbul
      İstanbul
      ıstanbul
      title
      i
      ǆ
      µ
      ϑ
      ẞ
      ﬁ
      𐐀
      ꭰ
      [k]
      [^k]elvin
      [a-z]k
      [s-t]
      [^a-z\n]
      [[:upper:]]{3}
      [[:lower:]]
      \p{Lu}{2}
      \p{Ll}
      \P{Lu}x
      \bk\b
      \bs\b
      ^s
      \x6b
      \x{212a}
      \u017f
      \u{17f}
      a|K|z
      (needle|STRASSE|kelvin)s?
      import .* from
      deadlock
      TODO|FIXME
      x{3,5}
      export (const|function) [a-z]+`,
    ]),
  },
  {
    name: 'flags inside the pattern',
    queries: queries(
      '',
      raw`
      (?i)needle
      (?i)NEEDLE
      (?i:n)eedle
      (?i:NEED)le
      n(?i)EEDLE
      (?i)a(?-i)B
      foo(?i)BAR|BAZ
      (?:(?i)foo)BAR
      ((?i)foo)bar
      (?i)k(?-i)k
      (?i:s)s
      (?s)foo.bar
      (?s).
      (?s:a.c)
      (?m)^foo
      (?-m)^foo
      (?-m)foo$
      (?-m:^)needle
      (?m:^abc$)
      (?x) needle # a comment
      (?x: n e e d l e )
      (?x)a\ b
      (?x)[a b]c
      (?x)foo \x20 bar
      (?U)a+
      (?U)a+?b
      (?U:fo*)o
      (?iU)NEED.*E
      (?R)needle$
      (?R)^abc$
      (?R:abc$)
      (?R)foo.
      (?Rm)^$
      (?u)\w+é
      (?-u)\w+
      (?-u:\w)é
      (?-u)\bneedle\b
      (?-u:\b)é
      (?-u:\B)é
      (?-u)é
      (?-u)[a-z]+[^a-z\n]
      (?-u).
      (?-u)^.$
      (?-u:.)(?-u:.)rgen
      (?-u)\xff
      (?-u:\xff)
      (?-u:[\x80-\xff])
      (?-u)[\x80-\xff]{2}
      (?-u)[^\x00-\x7f]+needle
      (?-u)\xc3\xbc
      (?-u:\xc3)(?-u:\xbc)rgen
      (?-u:\xff)needle(?-u:\xff)
      (?-u)\W\xe9
      (?-u)a[^a]b
      (?-u:\x80)|needle
      (?i-u)k
      (?i-u)NEEDLE
      (?i-u)[k-l]elvin
      (?i-u:s)tra
      (?-u)\d\d
      (?-u)\s$
      (?-u:\S)needle
      (?i)(?-u:\xe9)
      (?is)needle.*twice
      (?i-s:needle)
      (?)needle
      (?i)
      (?:)`,
    ),
  },
  {
    name: 'alternations with a common, a missing and an empty part',
    queries: queries(
      '',
      raw`
      foo|bar
      foo|foobar
      foobar|foo
      needle|NEEDLE|Needle
      function|return|import|export|const
      setTimeout|setInterval|setImmediate
      (foo|bar)baz
      (foo|bar)\(
      pre_(needle|thread)
      (a|ab)(c|bcd)
      (needle|)s
      (|needle)s
      needle|
      |needle
      foo||bar
      (?:|)
      a|b|c|d|e|f|g|h|i|j
      (abc|abd|abe)
      (one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)
      TODO|FIXME|XXX
      foo|.
      foo|\d
      foo|^$
      ^foo|bar$
      ^(foo|bar)$
      (^|[^a-z])needle
      needle($|[^a-z])
      (foo|bar|baz)+
      ((foo)|(bar))|((baz))
      Jürgen|Müller|Straße
      日本|中文|한국
      é|e
      (é|e)\b
      kmalloc|kzalloc|vmalloc
      if|else if
      <(html|body)>
      (x|y|z)=
      [ab]|[cd]|needle
      (?i:foo)|BAR
      zq|qz
      a|zzqqxyzzyplugh
      zzqqxyzzyplugh|qqzzyx
      (return|throw) (null|undefined|new)
      (needle|thread)(s|_|2)`,
    ),
  },
  {
    name: 'classes, POSIX classes and operations on sets',
    queries: queries(
      '',
      raw`
      [abc]
      [^abc]
      [a-z]
      [^a-z]
      [A-Z]+_[A-Z]+
      [A-Z][a-z]+Error\(
      [a-zA-Z_]\w*\s*=
      [0-9]{3,}
      [0-9]+\.[0-9]+
      [-a]
      [a-]
      [a\-z]
      []a]
      [^]a]
      [\]]
      [\[]
      [\\]
      [\^]
      [a^]
      [.]
      [.*+?]
      [$]
      [\n]
      [\t ]
      [^\n]
      [^\s]
      [\w.-]+@[\w.-]+
      [\d\s]
      [^\d\s]
      [\D]
      [\W_]
      [^\W]
      [\w--a]
      [\w&&[^\d]]
      [a-z&&[^aeiou]]{5}
      [a-z--[aeiou]]{6}
      [a-g~~e-z]
      [a-z&&b-y&&c-x]{8}
      [[a-c][x-z]]+
      [^[a-c][x-z]]
      [a-c&&]
      [a&&b]
      [^a&&b]
      [\w&&\p{Greek}]+
      [\p{L}--\p{ascii}]
      [[:alpha:]]+
      [[:digit:]]+
      [[:alnum:]]{20}
      [[:space:]]$
      [[:upper:]]{4}
      [[:lower:]]{15}
      [[:punct:]]{4}
      [[:blank:]]{4}
      [[:cntrl:]]
      [[:graph:]]{40}
      [[:print:]]{60}
      [[:xdigit:]]{8}
      [[:word:]]{25}
      [[:ascii:]]
      [[:^ascii:]]
      [[:^alpha:]][[:^digit:]]x
      [^[:space:]]{50}
      [x[:digit:]]
      [[:alpha:][:digit:]_]+\(
      [é]
      [^é]
      [é-ü]
      [日本語]
      [一-龥]
      [\x00-\x7F]
      [^\x00-\x7F]
      [\x{80}-\x{ff}]
      [\u{1F600}-\u{1F64F}]
      [^ -~]
      [^ -~\t]
      [A-Za-z]{30}
      [xyz]{2}[=;]
      [ſK]
      [🇩-🇪]
      [\x{d7ff}-\x{e000}]
      [\pL\d]
      [^\pL\pN\s]`,
    ),
  },
  {
    name: 'Unicode classes and characters',
    queries: queries(
      '',
      raw`
      \w
      \W
      \d
      \D
      \s
      \S
      \w{40}
      \W{10}
      \d{4}-\d\d-\d\d
      \s{5}
      \S{100}
      \p{Greek}
      \p{Greek}+
      \P{Greek}
      \p{Cyrillic}
      \p{Han}
      \p{Script=Hebrew}
      \p{Script_Extensions=Arabic}
      \p{scx=Hira}
      \p{sc=Katakana}
      \p{L}
      \pL
      \PL
      \p{Lu}\p{Ll}
      \p{Letter}{30}
      \p{Uppercase_Letter}{3}
      \p{gc=Nd}
      \p{Nl}
      \p{No}
      \p{N}
      \p{Alphabetic}
      \p{Emoji}
      \p{Emoji_Presentation}
      \p{Extended_Pictographic}
      \p{White_Space}
      \p{Lowercase}
      \p{Uppercase}
      \p{XID_Start}
      \p{XID_Continue}
      \p{ID_Start}\p{ID_Continue}*\(
      \p{Any}
      \p{ASCII}
      \p{Assigned}
      \p{Age=3.0}
      \p{Cc}
      \p{Cf}
      \p{Co}
      \p{Cn}
      \p{Zs}
      \p{Zl}
      \p{Zp}
      \p{Z}
      \p{P}{4}
      \p{Sc}
      \p{Sm}
      \p{So}
      \p{Mn}
      \p{M}
      \p{Lt}
      \p{Lm}
      \p{Lo}
      \p{^Greek}
      \P{^Greek}
      \p{Dash}
      \p{Hex_Digit}{6}
      \p{Math}
      \p{Case_Ignorable}
      \p{Cased}
      \p{Ideographic}
      \p{Grapheme_Cluster_Break=Prepend}
      \p{gcb=Extend}
      \p{wb=Katakana}
      \p{sb=ATerm}
      Jürgen
      J.rgen
      J..rgen
      J\wrgen
      J\Wrgen
      na\S+ve
      Stra.e
      日本語
      日.語
      .テ
      😀
      .😀.
      👩.*👧
      \x{1F600}
      \u{1F600}
      \U0001F600
      \u00e9
      \xe9
      \x{e9}
      é
      e\x{301}
      𝕏
      \u{10400}
      ^.$
      ^..$
      ^.{3}$
      Ελλ\w+
      Прив\p{L}+
      עברית
      \u2028
      \u{85}
      \x85
      nbsp\shere
      [^\w\s]é`,
    ),
  },
  {
    name: 'repetitions, counted, lazy, and with none at all',
    queries: queries(
      '',
      raw`
      a*
      a+
      a?
      x*
      z*
      (needle)*
      (needle)?
      (needle)+
      fo*
      fo+
      fo?b
      foo(bar)*
      foo(bar)?baz
      (foo)?bar
      (foo )*bar
      a{3}
      a{3,}
      a{3,5}
      a{0}
      a{0,}
      a{0,1}b
      a{0}b
      a{1}
      (ab){3}
      (ab){4,}
      (xyz){3}
      (a|b){10}
      (?:ab?){6}
      a*?
      a+?
      a??
      a{2,3}?
      fo*?o
      .*?needle
      needle.*?needle
      ".*?"
      ".*"
      '[^']*'
      \(.*\)
      \(.*?\)
      .*
      .+
      .?
      .{100}
      .{3}$
      ^.{0,5}$
      .{200,}
      a.*b
      a.+z
      f.*o.*r
      import.*from.*'
      const.*=.*=>.*;
      function.*return
      \w+\s*\(\w+\)
      \w+ \w+ \w+ \w+ \w+ \w+
      \s*=\s*
      \s+$
      ^\s*$
      ^\s+\w
      (\w+)\s+=\s+\w+
      pre\w*needle
      n\w*e
      ne{2}dle
      (a+)+$
      (a*)*b
      (x+x+)+y
      (a|aa)+$
      (a|b|ab)*c
      (\w+\s?)+$
      (.*)(.*)(.*)x
      (?:.*needle){2}
      (\d+\.){3}\d+
      \d{1,3}(\.\d{1,3}){3}
      [a-z]+(_[a-z]+)+
      [a-z]+([A-Z][a-z]+)+
      (foo|bar){2,}
      (?:foo[ .]?){2}
      ((a{2}){2}){2}
      x{2}y{2}z{2}
      (?:){3}
      (a?){3}a{3}
      (a?b?c?){2}d
      (a|b|c|d)*x.{12}y
      (?:a|b)?(?:c|d)?(?:e|f)`,
    ),
  },
  {
    name: 'anchors and the ends of the text',
    queries: queries(
      '',
      raw`
      ^
      $
      ^$
      ^^
      $$
      ^needle
      needle$
      ^needle$
      ^abc$
      ^a$
      ^\s
      \s$
      ^import
      ^import \{
      ^export (const|function)
      ^\s*return
      ;$
      \{$
      ^\}$
      ^.
      .$
      (^a|b$)
      ^(a|b)
      (a|b)$
      a^b
      a$b
      $a
      a^
      ^*
      (^)+a
      (?:^|x)foo
      foo(?:$|x)
      \A
      \z
      \Aneedle
      needle\z
      \Aabc\z
      \A\z
      \A$
      ^\z
      \Aneedle in
      last\z
      \Aa
      a\z
      \r
      \r$
      needle\r
      abc\r$
      ^abc\r?$
      \r\z
      ^\r$
      [^\r]$
      \x0d
      \s*\r
      \w\r
      end\r?$`,
    ),
  },
  {
    name: 'word boundaries of every form',
    queries: [
      ...queries(
        '',
        raw`
      \b
      \B
      \bneedle\b
      \bneedle
      needle\b
      \Bneedle
      needle\B
      \Bneedle\B
      \bfoo\b
      \bfoo\B
      \bé
      é\b
      \Bé
      é\B
      \babc\b
      \b\w+\b
      \b\d+\b
      \b[A-Z]\w+\b
      \b_\b
      \ba\b
      \b日
      本\b
      \b😀
      \B😀
      \b{start}needle
      needle\b{end}
      \b{start}\w{20}\b{end}
      \b{start-half}needle
      needle\b{end-half}
      \b{start-half}\(
      \b{start-half}\$x
      \)\b{end-half}
      \<needle\>
      \<foo
      foo\>
      \<é
      ü\>
      \b{start}
      \b{end}
      \b{start-half}
      \b{end-half}
      \b\b
      \b\B
      \bneedle\b.*\bneedle\b
      \bif\b.*\belse\b
      \b(foo|bar)\b
      (\bfoo|bar\b)
      foo\b.\bbar
      \b\b\bneedle
      \b$
      ^\b
      \B$
      ^\B
      ^\B$
      \bJürgen\b
      \bürgen\b
      rgen\b`,
      ),
      ...queries(
        'w',
        raw`
      foo
      needle
      needle|foo
      foo.bar
      foo.*bar
      a
      ab|abc
      \w+
      \w
      .
      .*
      é
      Jürgen
      rgen
      日本
      日本語
      -dash
      \$x
      ??
      \(
      \?\?
      _
      K
      [a-z]+
      return
      x*
      ^foo
      foo$
      \bfoo
      fo
      foo|foobar
      😀
      0x1F
      \d+`,
      ),
      ...queries('iw', ['NEEDLE', 'Foo', 'k', 's', 'strasse', 'JÜRGEN', 'return|IMPORT']),
      ...queries('w', ['', ' ', ' foo', 'foo ']),
    ],
  },
  {
    name: 'matches of nothing',
    queries: [
      ...queries('', ['', '()', '(?:)', 'q{0}', '(|)', '()*', '(?:a|)*', 'x?', '(?i)', '^|$', '\\b|', '(?:^$)?']),
      ...queries('i', ['', 'k?', '()']),
      ...queries('F', ['']),
    ],
  },
  {
    name: 'classes that nothing is in',
    queries: queries(
      '',
      raw`
      [a&&b]x
      foo[^\x00-\x{10FFFF}]
      [^\x00-\x{10FFFF}]|needle
      ([^\s\S])?needle
      [^\s\S]*needle
      [^\s\S]+needle
      \P{Any}
      \P{Any}?abc`,
    ),
  },
  {
    name: 'escapes',
    queries: queries(
      '',
      raw`
      \.
      \.\.\.
      \*
      \+
      \?
      \?\?
      \(\)
      \[\]
      \{\}
      \|
      \^
      \$
      \\
      \/
      \-
      \#
      \&
      \~
      \%
      \:
      \;
      \"
      \'
      \!
      \@
      \=
      \,
      \a
      \f
      \t
      \v
      \x41
      \x4E
      \x{41}
      \x{000041}
      \u0041
      \u{41}
      \U00000041
      \x20\x20
      \e
      \h
      \_
      \<
      \>
      {
      }
      {x
      x}
      a{
      a{,3}
      ]
      \ `,
    ),
  },
  {
    name: 'matches that cross lines',
    queries: queries(
      'U',
      raw`
      start\nmiddle
      start\n.*\nend
      start\n
      \nend
      \n\n
      \n\n\n
      foo\s+bar
      foo\s*bar
      start[^x]end
      start[\s\S]*?end
      start(?s:.*?)end
      (?s)start.{1,9}end
      foo.bar
      (?s)foo.bar
      \{[^}]*\}
      ^start$
      ^start\nend$
      a\nb
      needle$
      \Astart
      \Aneedle
      end\n\z
      needle\z
      abc\r\n
      \r\n
      \r\n\r\n
      [^a]\n
      \s{3}
      \W+\n\W+
      (?i)END\nfoo
      foo\n|bar
      needle|start\nend
      Jürgen.*\n.*é
      \x0a
      [\n]
      [^\n]\n[^\n]
      \bfoo\b\s\bbar\b
      return.*\n\s*\}
      \) \{\n\s+return
      ;\n\n
      ,\n\s+\w+:
      export .*\n(.*\n)?\}
      (?-u)\xff\n
      needle
      foo|bar`,
    ),
  },
  {
    name: 'matches of next to nothing that may cross lines',
    hostileOnly: true,
    queries: queries('U', ['^', '$', '^$', '\\A', '\\z', '\\n', 'x*', '', '\\b', '(?s).*', '(?s).', '.*', '[^a]']),
  },
  {
    name: 'matches that cross lines, with other flags',
    queries: [
      ...queries('Ui', ['START\\nEND', 'NEEDLE', 'k\\n', 'foo\\s+BAR']),
      ...queries('Uw', ['foo\\s+bar', 'start', 'end\\nfoo', 'a']),
      ...queries('UF', ['foo', 'start\nend', '.\n', 'a.b']),
    ],
  },
];

/** Patterns that ripgrep does not take, or might not: both must take them, or both refuse. */
export const DOUBTFUL: readonly Query[] = [
  ...queries(
    '',
    raw`
    (
    )
    (a
    a)
    (()
    [
    [a
    []
    [^]
    [a-
    [z-a]
    [\d-z]
    [a-\d]
    [[:nope:]]
    [[:alpha:]
    [a&&&b]
    *
    +
    ?
    *a
    a**
    a+*
    a???
    a{1}{2}
    a{2,1}
    a{999}
    a{4294967296}
    a{1,99999999999}
    a{
    a{1
    a{1,
    a{a}
    a{-1}
    {1}
    ^*
    $+
    \b*
    (|a)*
    (?
    (?i
    (?i:
    (?z)
    (?ii)
    (?-i-s)
    (?i-)
    (?-)
    (?P<n>a)
    (?<n>a)
    (?P<n
    (?P<>a)
    (?P<1a>b)
    (?P<n>a)(?P<n>b)
    (?P=n)
    (?=a)
    (?!a)
    (?<=a)
    (?<!a)
    (?>a)
    (?#comment)
    \1
    \0
    \00
    \8
    \k<n>
    \Q
    \E
    \G
    \Z
    \K
    \R
    \X
    \N
    \c
    \y
    \i
    \ü
    \x
    \x4
    \xZZ
    \x{}
    \x{110000}
    \x{d800}
    \x{zz}
    \u12
    \u{110000}
    \u{d800}
    \U0000
    \p
    \p{
    \p{}
    \p{Nope}
    \p{Script=Nope}
    \p{Nope=Yes}
    \pX
    \p{lu}
    \p{greek}
    \p{ L u }
    \p{Script:Greek}
    \p{Script!=Greek}
    \p{isGreek}
    \p{Block=Basic_Latin}
    \p{Age=99}
    \p{Age=5.1}
    \b{nope}
    \b{start
    \b{
    \B{start}
    \b{1}
    a\nb
    \n
    \x0a
    [a\n]
    [^a\n]
    (?s)a\nb
    (?-u)\pL
    (?-u:\u{ff})
    (?-u:\x{100})
    (?-u)[é]
    (?-u)\xc3
    [\xff]
    (?-u:[^a])
    \x00
    [\x00]
    [\x00-\x1f]
    a(?x)b
    (?x) [ a
    (?x) \
    (?x)a{ 2 , 3 }
    (?u)é
    (?i)ſ`,
  ),
  ...queries('', ['a\nb', 'needle\n', '(?x)a # comment\nb', 'a\\', '(?i-u)\\xe9', '('.repeat(300) + ')'.repeat(300)]),
  ...queries('F', ['a\nb', 'foo\n']),
  ...queries('w', ['(', 'a\\nb', 'a|']),
  ...queries('U', ['\\n', '(?-u)\\n', '[^a]', 'a\\x00b']),
];
