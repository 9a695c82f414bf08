// XML as project files use it: elements, attributes, text. No entity but the five and numbers is expanded, nothing is fetched.

export interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly Element[];
  readonly text: string;
}

const MOST_DEPTH = 200;

const TOKEN =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<!DOCTYPE[^>[]*>|<(\/?)([\w.:-]+)((?:\s+[\w.:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|[^<]+|</g;

interface Open {
  name: string;
  attributes: Map<string, string>;
  children: Element[];
  text: string;
}

/** Reads a document and returns its root. Throws with the line where it is not well-formed. Prefixes of names are dropped. */
export function parseXml(text: string): Element {
  const top: Open = { name: '', attributes: new Map(), children: [], text: '' };
  const open: Open[] = [top];
  for (const token of text.replace(/^\ufeff/, '').matchAll(TOKEN)) {
    const [whole, cdata, closing, name, attributes, empty] = token;
    const here = open.at(-1) as Open;
    if (whole === '<') throw new Error(`line ${lineAt(text, token.index)}: what follows < is no tag`);
    if (name === undefined) {
      if (!whole.startsWith('<')) here.text += decoded(whole);
      else if (cdata !== undefined) here.text += cdata;
      continue;
    }
    if (closing === '/') {
      if (here.name !== local(name) || open.length === 1) {
        throw new Error(`line ${lineAt(text, token.index)}: </${name}> closes nothing that is open`);
      }
      open.pop();
      continue;
    }
    const made: Open = { name: local(name), attributes: attributesOf(attributes ?? ''), children: [], text: '' };
    here.children.push(made);
    if (empty === '/') continue;
    if (open.length > MOST_DEPTH)
      throw new Error(`line ${lineAt(text, token.index)}: nested more than ${MOST_DEPTH} deep`);
    open.push(made);
  }
  if (open.length > 1) throw new Error(`<${open.at(-1)?.name}> is never closed`);
  const [root] = top.children;
  if (!root) throw new Error('holds no element');
  return root;
}

/** The children of that name. */
export const all = (of: Element | undefined, name: string): Element[] =>
  of?.children.filter((each) => each.name === name) ?? [];

/** The first child along a path of names. */
export function at(of: Element | undefined, ...names: readonly string[]): Element | undefined {
  let here = of;
  for (const name of names) here = all(here, name)[0];
  return here;
}

/** The text of the first child of that name. */
export function textOf(of: Element | undefined, name: string): string | undefined {
  const text = at(of, name)?.text.trim();
  return text === '' ? undefined : text;
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

function attributesOf(text: string): Map<string, string> {
  const found = text.matchAll(/([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
  return new Map([...found].map(([, name = '', double, single]) => [local(name), decoded(double ?? single ?? '')]));
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

function decoded(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w{1,20}));/g, (whole, number, hex, name) => {
    if (name !== undefined) return NAMED.get(String(name)) ?? whole;
    const code = number === undefined ? Number.parseInt(String(hex), 16) : Number(number);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
