// Reads HTML from left to right, once: tags and text, in time linear in the length whatever the text is.

/** What a scan reports. `name` is in lower case; `raw` text still holds its character references. */
export interface Handler {
  text(raw: string): void;
  open(name: string, attributes: Attributes, selfClosing: boolean): void;
  close(name: string): void;
}

/** Attribute values by lower-case name, references not yet resolved; the first of two equal names counts. */
export type Attributes = ReadonlyMap<string, string>;

/** Elements whose content is no markup: it runs to their own end tag (HTML standard, 13.1.2). */
export const RAW_TEXT: ReadonlySet<string> = new Set([
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
  'noembed',
  'noframes',
  'plaintext',
]);

const NONE: Attributes = new Map();
const MOST_ATTRIBUTES = 64;

/** Calls `handler` for everything in `html`, in order. `stop` is asked now and then and ends the scan. */
export function scan(html: string, handler: Handler, stop: () => boolean = () => false): void {
  let at = 0;
  while (at < html.length && !stop()) {
    const less = nextMarkup(html, at);
    if (less > at) handler.text(html.slice(at, less));
    if (less === html.length) return;
    const next = html.charCodeAt(less + 1);
    if (next === 0x21 || next === 0x3f) {
      at = skipDeclaration(html, less);
    } else if (next === 0x2f) {
      const end = nameEnd(html, less + 2);
      handler.close(html.slice(less + 2, end).toLowerCase());
      const close = html.indexOf('>', end);
      at = close === -1 ? html.length : close + 1;
    } else {
      at = openTag(html, less, handler);
    }
  }
}

/** Where the next tag or declaration begins, or the end: a '<' before anything else is text. */
function nextMarkup(html: string, from: number): number {
  for (let less = html.indexOf('<', from); less !== -1; less = html.indexOf('<', less + 1)) {
    const next = html.charCodeAt(less + 1);
    if (next === 0x21 || next === 0x3f || isLetter(next)) return less;
    if (next === 0x2f && isLetter(html.charCodeAt(less + 2))) return less;
  }
  return html.length;
}

/** `<!-- -->`, `<!doctype>`, `<![CDATA[ ]]>`, `<? ?>`: none of them is shown. */
function skipDeclaration(html: string, at: number): number {
  const [open, close] = html.startsWith('<!--', at)
    ? [html.startsWith('<!-->', at) ? 2 : 4, '-->']
    : html.startsWith('<![CDATA[', at)
      ? [9, ']]>']
      : [2, '>'];
  const end = html.indexOf(close, at + open);
  return end === -1 ? html.length : end + close.length;
}

function openTag(html: string, less: number, handler: Handler): number {
  const end = nameEnd(html, less + 1);
  const name = html.slice(less + 1, end).toLowerCase();
  const tag = readAttributes(html, end);
  handler.open(name, tag.attributes, tag.selfClosing);
  if (!RAW_TEXT.has(name)) return tag.end;
  const close = endOfRaw(html, tag.end, name);
  handler.text(html.slice(tag.end, close));
  handler.close(name);
  const greater = html.indexOf('>', close);
  return greater === -1 ? html.length : greater + 1;
}

function endOfRaw(html: string, from: number, name: string): number {
  for (let at = html.indexOf('</', from); at !== -1; at = html.indexOf('</', at + 2)) {
    const after = at + 2 + name.length;
    if (html.slice(at + 2, after).toLowerCase() === name && !isNameUnit(html.charCodeAt(after))) return at;
  }
  return html.length;
}

function readAttributes(html: string, from: number): { attributes: Attributes; selfClosing: boolean; end: number } {
  let attributes: Map<string, string> | undefined;
  let at = from;
  let selfClosing = false;
  while (at < html.length) {
    const unit = html.charCodeAt(at);
    if (unit === 0x3e) return { attributes: attributes ?? NONE, selfClosing, end: at + 1 };
    if (isSpace(unit) || unit === 0x2f) {
      selfClosing = unit === 0x2f;
      at++;
      continue;
    }
    selfClosing = false;
    const nameStart = at;
    // A name may begin with '=' (13.2.5.32), which keeps the scan moving on `<a =x>`.
    at++;
    while (at < html.length && !isSpace(html.charCodeAt(at)) && !'/>='.includes(html[at] as string)) at++;
    const name = html.slice(nameStart, at);
    while (isSpace(html.charCodeAt(at))) at++;
    let value = '';
    if (html[at] === '=') {
      at++;
      while (isSpace(html.charCodeAt(at))) at++;
      const quote = html[at];
      if (quote === '"' || quote === "'") {
        const close = html.indexOf(quote, at + 1);
        if (close === -1) return { attributes: attributes ?? NONE, selfClosing: false, end: html.length };
        value = html.slice(at + 1, close);
        at = close + 1;
      } else {
        const start = at;
        while (at < html.length && !isSpace(html.charCodeAt(at)) && html[at] !== '>') at++;
        value = html.slice(start, at);
      }
    }
    attributes ??= new Map();
    const key = name.toLowerCase();
    if (attributes.size < MOST_ATTRIBUTES && !attributes.has(key)) attributes.set(key, value);
  }
  return { attributes: attributes ?? NONE, selfClosing: false, end: html.length };
}

function nameEnd(html: string, from: number): number {
  let at = from;
  while (isNameUnit(html.charCodeAt(at))) at++;
  return at;
}

function isLetter(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a);
}

/** NaN, past the end, is no name unit. */
function isNameUnit(unit: number): boolean {
  return !(Number.isNaN(unit) || isSpace(unit) || unit === 0x2f || unit === 0x3e || unit === 0x3c);
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x09 || unit === 0x0d || unit === 0x0c;
}
