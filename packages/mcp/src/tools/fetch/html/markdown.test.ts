// What pages look like as Markdown. Expected values are written by hand.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toMarkdown } from './markdown.ts';
import { BLOCKS } from './tree.ts';

function convert(html: string, whole = false): string {
  return toMarkdown(html, 'https://example.com/docs/page?x=1', whole).text;
}

describe('blocks', () => {
  it.each([
    ['headings', '<h1>One</h1><h2>Two</h2><h6>Six</h6>', '# One\n\n## Two\n\n###### Six\n'],
    ['paragraphs', '<p>a</p><p>b\n  c</p>', 'a\n\nb c\n'],
    ['text beside blocks', 'a<p>b</p>c', 'a\n\nb\n\nc\n'],
    ['a line break', '<p>a<br>b</p>', 'a\nb\n'],
    ['boxes in boxes', '<div><div><div>a</div></div><div>b</div></div>', 'a\n\nb\n'],
    ['a rule', 'a<hr>b', 'a\n\n---\n\nb\n'],
    ['a quote', '<blockquote><p>a</p><p>b</p></blockquote>c', '> a\n>\n> b\n\nc\n'],
    ['a quote in a quote', '<blockquote>a<blockquote>b</blockquote></blockquote>', '> a\n>\n> > b\n'],
    ['a definition list', '<dl><dt>T<dd>one<dd>two<dt>U<dd>x</dl>', 'T\n: one\n: two\nU\n: x\n'],
    [
      'a figure',
      '<figure><img src="i.png" alt="A"><figcaption>C</figcaption></figure>',
      '![A](https://example.com/docs/i.png)\n\nC\n',
    ],
    ['details', '<details><summary>S</summary><p>in</p></details>', 'S\n\nin\n'],
    ['nothing', '', ''],
    ['only blanks', ' \n <p> </p> ', ''],
  ])('%s', (_what, html, expected) => {
    expect(convert(html)).toBe(expected);
  });
});

describe('lists', () => {
  it.each([
    ['bullets', '<ul><li>a</li><li>b</li></ul>', '- a\n- b\n'],
    ['numbers from a start', '<ol start="9"><li>a</li><li>b</li></ol>', '9. a\n10. b\n'],
    ['items without end tags', '<ul><li>a<li>b</ul>c', '- a\n- b\n\nc\n'],
    ['nested', '<ul><li>a<ul><li>b<ol><li>c</ol></ul><li>d</ul>', '- a\n  - b\n    1. c\n- d\n'],
    ['paragraphs in an item', '<ul><li><p>a</p><p>b</p></li><li><p>c</p></li></ul>', '- a\n\n  b\n- c\n'],
    ['code in an item', '<ul><li>a<pre>x\ny</pre></li></ul>', '- a\n\n  ```\n  x\n  y\n  ```\n'],
    [
      'tasks',
      '<ul><li><input type=checkbox checked> done<li><input type="checkbox">open</ul>',
      '- [x] done\n- [ ] open\n',
    ],
    ['empty items', '<ul><li></li><li>a</li></ul>', '- a\n'],
    ['a list in a quote', '<blockquote><ul><li>a<li>b</ul></blockquote>', '> - a\n> - b\n'],
  ])('%s', (_what, html, expected) => {
    expect(convert(html)).toBe(expected);
  });
});

describe('inline', () => {
  it.each([
    ['emphasis', '<b>a</b> <em>b</em> <del>c</del>', '**a** *b* ~~c~~\n'],
    ['blanks go outside of emphasis', 'x<b> a </b>y', 'x **a** y\n'],
    ['empty emphasis', 'x<b> </b>y<i></i>', 'x y\n'],
    ['names are not escaped', 'snake_case_name *x* [y] # 1. &lt;div&gt;', 'snake_case_name *x* [y] # 1. <div>\n'],
    ['code', '<code>a  b</code> <kbd>Ctrl</kbd>', '`a b` `Ctrl`\n'],
    ['backticks in code', '<code>a`b</code> <code>``</code>', '`` a`b `` ``` `` ```\n'],
    ['links become absolute', '<a href="../a?b=1&amp;c=2#d">t</a>', '[t](https://example.com/a?b=1&c=2#d)\n'],
    ['a name in a query is no entity', '<a href="/?a=1&copy=2">t</a>', '[t](https://example.com/?a=1&copy=2)\n'],
    ['a link that is its text', '<a href="https://e.com/">https://e.com/</a>', '<https://e.com/>\n'],
    ['parentheses in a link', '<a href="/a_(b)">t</a>', '[t](https://example.com/a_%28b%29)\n'],
    ['links within the page are text', '<a href="#x">t</a>', 't\n'],
    ['marks beside headings', '<h2>T<a href="#t">¶</a></h2>', '## T\n'],
    ['links that run programs are text', '<a href="javascript:alert(1)">t</a> <a href="data:x">u</a>', 't u\n'],
    ['a link around a card', '<a href="/c"><h3>T</h3><p>d</p></a>', '[T d](https://example.com/c)\n'],
    ['an open anchor around blocks', '<a name="x"><h2>T</h2><p>d</p>', '## T\n\nd\n'],
    [
      'a link that is never closed',
      '<a href="/a">a <a href="/b">b</a>',
      '[a](https://example.com/a) [b](https://example.com/b)\n',
    ],
    [
      'pictures',
      '<img src=/i.png alt="a  b"><img src=t.gif width=1 height=1><img alt="" src=d.png>',
      '![a b](https://example.com/i.png)\n',
    ],
    ['a picture without address', '<img alt="a" src="data:image/png;base64,xx">', 'a\n'],
    ['powers', 'x<sup>2</sup>', 'x^2\n'],
    [
      'entities',
      '&eacute;&#233;&#xe9;&hellip;&nbsp;&copy;&unknown;&#128512;&#x80;&amp;lt;',
      'ééé… ©&unknown;😀€&lt;\n',
    ],
    ['characters that do not show', 'a\u200bb\u00adc\u{e0041}d\ufeff', 'abcd\n'],
    ['formulas by their alternative', '<math alttext="x^2"><mi>x</mi></math>', '$x^2$\n'],
  ])('%s', (_what, html, expected) => {
    expect(convert(html)).toBe(expected);
  });

  it('a base address is obeyed', () => {
    expect(convert('<base href="/other/"><a href="x">t</a>')).toBe('[t](https://example.com/other/x)\n');
  });
});

describe('code blocks', () => {
  it.each([
    ['bytes inside stay', '<pre>  a\n\tb  c\n</pre>', '```\n  a\n\tb  c\n```\n'],
    ['the language', '<pre><code class="hljs language-ts">a</code></pre>', '```ts\na\n```\n'],
    ['the language on the outside', '<pre class="lang-py"><code>a</code></pre>', '```py\na\n```\n'],
    [
      'markup inside',
      '<pre><code><span class=k>if</span> (a &lt; b) {\n<b>x</b>\n}</code></pre>',
      '```\nif (a < b) {\nx\n}\n```\n',
    ],
    ['a fence inside', '<pre>```\nx\n```</pre>', '````\n```\nx\n```\n````\n'],
    ['a line per element', '<pre><div>a</div><div>b</div></pre>', '```\na\nb\n```\n'],
    ['line breaks by tag', '<pre>a<br>b</pre>', '```\na\nb\n```\n'],
  ])('%s', (_what, html, expected) => {
    expect(convert(html)).toBe(expected);
  });
});

describe('tables', () => {
  it.each([
    ['with a head', '<table><thead><tr><th>a<th>b</thead><tr><td>1<td>2</table>', '| a | b |\n|---|---|\n| 1 | 2 |\n'],
    [
      'without a head',
      '<table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>',
      '| 1 | 2 |\n|---|---|\n| 3 | 4 |\n',
    ],
    [
      'bars and lines in cells',
      '<table><tr><td>a|b<td><p>x</p><p>y<br>z</p></table>',
      '| a\\|b | x y z |\n|---|---|\n',
    ],
    [
      'rows of unequal length',
      '<table><tr><td>a<td>b<td>c<tr><td colspan=2>d</table>',
      '| a | b | c |\n|---|---|---|\n| d |  |  |\n',
    ],
    ['a caption', '<table><caption>C</caption><tr><td>a<td>b</table>', 'C\n\n| a | b |\n|---|---|\n'],
    [
      'links and code',
      '<table><tr><td><a href="/x">t</a><td><code>a|b</code></table>',
      '| [t](https://example.com/x) | `a\\|b` |\n|---|---|\n',
    ],
    ['a layout of one column', '<table><tr><td><h2>T</h2><p>a</p></td></tr></table>', '## T\n\na\n'],
    ['a layout of blocks', '<table><tr><td><ul><li>a</ul></td><td><p>b</p></td></tr></table>', '- a\n\nb\n'],
    ['a table in a table', '<table><tr><td>x<td><table><tr><td>a<td>b</table></table>', 'x\n\n| a | b |\n|---|---|\n'],
  ])('%s', (_what, html, expected) => {
    expect(convert(html)).toBe(expected);
  });
});

describe('what is left out', () => {
  const page = `<!doctype html><html><head><title>T &amp; U</title><style>p{}</style><script>if (a < b) "<p>no</p>"</script></head>
    <body><nav><a href="/">home</a></nav><!-- <p>no</p> --><noscript>no</noscript><svg><title>no</title><text>no</text></svg>
    <div hidden>no</div><div style="display: none">no</div><span aria-hidden="true">no</span><form><button>no</button>
    <select><option>no</select><textarea>no</textarea><input value="no"></form><template>no</template><iframe>no</iframe>
    <p>yes</p><aside>side</aside><footer>foot</footer></body></html>`;

  it('programs, controls, hidden things and surroundings', () => {
    expect(toMarkdown(page, 'https://e.com/')).toEqual({ text: 'yes\n', title: 'T & U', part: 'page', cut: false });
  });

  it('surroundings are there when the whole page is wanted', () => {
    expect(convert(page, true)).toBe('[home](https://example.com/)\n\nyes\n\nside\n\nfoot\n');
  });

  it('a main element with text is the page, one without is not', () => {
    const long = 'word '.repeat(60).trim();
    expect(
      toMarkdown(`<header>h</header><main><p>${long}</p><aside>note</aside></main><p>x</p>`, 'https://e.com/'),
    ).toMatchObject({
      text: `${long}\n\nnote\n`,
      part: 'main',
    });
    expect(toMarkdown('<main id=app></main><p>x</p>', 'https://e.com/')).toMatchObject({ text: 'x\n', part: 'page' });
  });
});

describe('broken markup', () => {
  it.each([
    ['crossed tags', '<b>a<i>b</b>c</i>', '**a*b***c\n'],
    ['a stray end tag in a cell', '<table><tr><td>a</div></td><td>b</td></tr></table>', '| a | b |\n|---|---|\n'],
    ['end tags of nothing', '</div></p></ul>a', 'a\n'],
    ['a tag that never ends', '<p>a</p><a href="x', 'a\n'],
    ['a comment that never ends', 'a<!-- b', 'a\n'],
    ['less-than signs', 'a < b <3 </ c <', 'a < b <3 </ c <\n'],
    ['a script that never ends', 'a<script>b', 'a\n'],
    ['upper case and odd spaces', '<P CLASS = x\n>a</P\n><BR/>b', 'a\n\nb\n'],
    ['attributes like __proto__', '<p __proto__=x constructor=y toString>a</p>', 'a\n'],
    ['NUL', 'a\0b', 'a\0b\n'],
  ])('%s', (_what, html, expected) => {
    expect(convert(html)).toBe(expected);
  });
});

describe('anything converts', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '<',
      '>',
      '</',
      '/>',
      '<!--',
      '-->',
      '&',
      ';',
      '"',
      "'",
      '=',
      ' ',
      '\n',
      '`',
      '|',
      '\0',
      '\ud800',
      '\ue000',
    ),
    fc
      .constantFrom(...BLOCKS, 'a', 'b', 'i', 'code', 'img', 'br', 'input', 'script', 'svg', 'title', 'q', 'sup')
      .map((name) => `<${name}>`),
    fc.constantFrom(...BLOCKS, 'a', 'b', 'i', 'code', 'script', 'svg', 'title').map((name) => `</${name}>`),
    fc.constantFrom(
      '<a href="x">',
      '<a href=#y>',
      '<img src=x alt=y>',
      '<td colspan=99999999999>',
      '<ol start=-5>',
      '<base href="::">',
    ),
    fc.string({ maxLength: 5 }),
  );
  it('markup of any kind, in any order', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 80 }), fc.boolean(), (pieces, whole) => {
        const { text } = toMarkdown(pieces.join(''), 'https://example.com/', whole);
        expect(text === '' || text.endsWith('\n')).toBe(true);
        expect(text).not.toMatch(/^\n|\n\n\n$/);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('nothing makes it slow', () => {
  const MB = 1024 * 1024;
  // Each of these takes a converter with a quadratic corner minutes, or its stack. Here they share one ordinary time limit.
  const hostile: readonly (readonly [string, string])[] = [
    ...[
      'div',
      'b',
      'ul><li',
      'blockquote',
      'table><tr><td',
      'a href=x',
      'span',
      'p',
      'q',
      'dl><dd',
      'ol',
      'font',
      'pre',
    ].map((tag): [string, string] => [`10 MB of <${tag}>`, `<${tag}>`.repeat((10 * MB) / (tag.length + 2))]),
    ...[
      '<',
      '</',
      '<a ',
      '<a href="',
      '<!--',
      '<![CDATA[',
      '&',
      '&#',
      '<b>x</i>',
      '</div>',
      '<script>',
      '</script',
      '`',
      '<code>`',
      '<br>',
      '<td>',
      '\u00a0 ',
    ].map((text): [string, string] => [`10 MB of ${text}`, text.repeat((10 * MB) / text.length)]),
    ['a million line breaks before a word', `<p>${'<br>'.repeat(1_000_000)}x</p>`],
    ['a million lines of nothing in code', `<pre>${'\n'.repeat(5_000_000)}x</pre>`],
    ['long blanks in a link', `<a href="x">${' '.repeat(5_000_000)}x</a>`],
    ['long blanks in emphasis', `<p>${'<i> </i>'.repeat(500_000)}x`],
    ['a long attribute', `<pre class="${'lang '.repeat(1_000_000)}">x</pre>`],
    ['100,000 items', `<ul>${'<li>item <code>x</code></li>'.repeat(100_000)}</ul>`],
    ['100,000 rows', `<table>${'<tr><td>a</td><td>b|c</td></tr>'.repeat(100_000)}</table>`],
    ['deep emphasis around long text', `${'<i>'.repeat(5000)}${'lorem ipsum '.repeat(400_000)}`],
    ['deep lists around many lines', `${'<ul><li>'.repeat(5000)}${'lorem<br>'.repeat(400_000)}`],
  ];

  it.each(hostile)('%s', (_what, html) => {
    expect(typeof convert(html)).toBe('string');
  });

  it('says when a page is larger than what is converted', () => {
    expect(toMarkdown('<p>a</p>'.repeat(2_000_000), 'https://e.com/').cut).toBe(true);
  });
});
