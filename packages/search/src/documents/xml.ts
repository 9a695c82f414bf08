// A walk over XML as office programs write it: tags, text, entities. No DTD is read, so nothing expands.
import { Skip } from './limits.ts';

/** What the walk calls; names are local (without prefix). */
export interface Visitor {
  open?(name: string, attributes: Attributes): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** The attributes of one tag, found when asked for. */
export interface Attributes {
  /** the value of the first attribute with this local name */
  get(name: string): string | undefined;
  /** the values of all attributes with this local name (`id` and `r:id`) */
  all(name: string): string[];
}

/** Deepest nesting; documents stay below 100. */
const DEPTH_LIMIT = 2000;

/** The text of an XML file: UTF-8, or UTF-16 by its mark. */
export function xmlText(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le', 2);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    return Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)))
      .swap16()
      .toString('utf16le');
  }
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return bytes.toString('utf8', mark);
}

/** Walks once over `xml`. Throws Skip where it is not well formed; what came before has been visited. */
export function walkXml(xml: string, visitor: Visitor): void {
  const stack: string[] = [];
  for (let at = 0; at < xml.length;) {
    const tag = xml.indexOf('<', at);
    if (tag !== at) {
      const text = xml.slice(at, tag < 0 ? undefined : tag);
      if (stack.length > 0) visitor.text?.(decodeEntities(text));
      if (tag < 0) break;
    }
    at = special(xml, tag, visitor) ?? element(xml, tag, visitor, stack);
  }
  if (stack.length > 0) throw new Skip('truncated XML');
}

/** Comment, CDATA, processing instruction or DOCTYPE at `at`: where it ends. Undefined if a tag begins there. */
function special(xml: string, at: number, visitor: Visitor): number | undefined {
  if (xml.startsWith('<!--', at)) return after(xml, '-->', at + 4);
  if (xml.startsWith('<![CDATA[', at)) {
    const end = after(xml, ']]>', at + 9);
    visitor.text?.(xml.slice(at + 9, end - 3));
    return end;
  }
  if (xml.startsWith('<?', at)) return after(xml, '?>', at + 2);
  if (!xml.startsWith('<!', at)) return undefined;
  const subset = xml.indexOf('[', at);
  const end = xml.indexOf('>', at);
  return subset >= 0 && subset < end ? after(xml, '>', after(xml, ']', subset)) : after(xml, '>', at);
}

function after(xml: string, mark: string, from: number): number {
  const at = xml.indexOf(mark, from);
  if (at < 0) throw new Skip('truncated XML');
  return at + mark.length;
}

function element(xml: string, at: number, visitor: Visitor, stack: string[]): number {
  const end = tagEnd(xml, at);
  if (xml[at + 1] === '/') {
    const name = localName(xml.slice(at + 2, end - 1).trim());
    if (stack.pop() !== name) throw new Skip('XML that is not well formed');
    visitor.close?.(name);
    return end;
  }
  const empty = xml[end - 2] === '/';
  const inside = xml.slice(at + 1, empty ? end - 2 : end - 1);
  const space = inside.search(/\s/);
  const name = localName(space < 0 ? inside : inside.slice(0, space));
  if (name === '') throw new Skip('XML that is not well formed');
  visitor.open?.(name, attributesOf(space < 0 ? '' : inside.slice(space)));
  if (empty) visitor.close?.(name);
  else if (stack.push(name) > DEPTH_LIMIT) throw new Skip('XML nested too deeply');
  return end;
}

/** Past the `>` that closes the tag; one inside quotes does not. */
function tagEnd(xml: string, at: number): number {
  for (let i = at + 1; i < xml.length; i++) {
    const unit = xml.charCodeAt(i);
    if (unit === 0x3e) return i + 1;
    if (unit === 0x22 || unit === 0x27) i = after(xml, xml.charAt(i), i + 1) - 1;
  }
  throw new Skip('truncated XML');
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function attributesOf(raw: string): Attributes {
  let parsed: [name: string, value: string][] | undefined;
  const all = (name: string): string[] => {
    parsed ??= Array.from(
      raw.matchAll(/\s([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g),
      ([, key = '', double, single]) => [localName(key), decodeEntities(double ?? single ?? '')],
    );
    return parsed.filter(([key]) => key === name).map(([, value]) => value);
  };
  return { all, get: (name) => all(name)[0] };
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Replaces the five named and all numeric references; anything else stays as it is. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]{2,4}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED.get(name) ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole;
  });
}
