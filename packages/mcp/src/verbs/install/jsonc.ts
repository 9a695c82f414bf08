// Reads JSON, with or without comments, into values that know where they stand, so that an edit can touch one place only.
import { FormatError, placeAt } from './format.ts';

/** A stretch of the text, in UTF-16 units; `end` is past the last one. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface ObjectNode extends Span {
  readonly kind: 'object';
  readonly members: readonly Member[];
}

export interface Member extends Span {
  readonly key: string;
  readonly value: JsonNode;
  /** offset of the comma after the value */
  readonly comma: number | undefined;
}

export type JsonNode =
  | ObjectNode
  | (Span & { readonly kind: 'array'; readonly items: readonly JsonNode[] })
  | (Span & { readonly kind: 'scalar'; readonly value: string | number | boolean | null });

/** A whole text. `root` is undefined when it holds nothing but blanks and comments. */
export interface Document {
  readonly root: JsonNode | undefined;
  readonly comments: readonly Span[];
}

/** What a client's own reader takes beyond plain JSON. */
export interface Dialect {
  readonly comments: boolean;
  readonly trailingCommas: boolean;
}

const MAX_DEPTH = 400;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Parses `text`; throws FormatError at the first thing the dialect does not allow. */
export function readJson(text: string, dialect: Dialect): Document {
  const comments: Span[] = [];
  let at = 0;

  const fail = (message: string, offset = at): FormatError => new FormatError(message, placeAt(text, offset));

  function blanks(): void {
    for (;;) {
      const c = text[at];
      if (c === ' ' || c === '\t' || c === '\n' || c === '\r') at++;
      else if (c === '/' && (text[at + 1] === '/' || text[at + 1] === '*')) comment();
      else return;
    }
  }

  function comment(): void {
    const start = at;
    if (!dialect.comments) throw fail('a comment, and this client reads plain JSON without comments');
    if (text[at + 1] === '/') {
      while (at < text.length && text[at] !== '\n' && text[at] !== '\r') at++;
    } else {
      const close = text.indexOf('*/', at + 2);
      if (close < 0) throw fail('a comment that never ends');
      at = close + 2;
    }
    comments.push({ start, end: at });
  }

  function seen(): string {
    if (at >= text.length) return 'the end of the file';
    return `'${String.fromCodePoint(text.codePointAt(at) ?? 0)}'`;
  }

  function string(): string {
    const start = at++;
    for (;;) {
      const c = text[at];
      if (c === undefined || c === '\n' || c === '\r') throw fail('a string that is not closed', start);
      at++;
      if (c === '"') break;
      if (c === '\\') at++;
    }
    try {
      return JSON.parse(text.slice(start, at)) as string;
    } catch {
      throw fail('a string with a character or an escape that JSON does not have', start);
    }
  }

  function value(depth: number): JsonNode {
    if (depth > MAX_DEPTH) throw fail(`more than ${MAX_DEPTH} levels of nesting`);
    const start = at;
    const c = text[at];
    if (c === '{') return object(depth);
    if (c === '[') return array(depth);
    if (c === '"') return { kind: 'scalar', value: string(), start, end: at };
    for (const [word, meaning] of WORDS) {
      if (text.startsWith(word, at)) {
        at += word.length;
        return { kind: 'scalar', value: meaning, start, end: at };
      }
    }
    NUMBER.lastIndex = at;
    const number = NUMBER.exec(text)?.[0];
    if (number === undefined) throw fail(`a value was expected, not ${seen()}`);
    at += number.length;
    return { kind: 'scalar', value: Number(number), start, end: at };
  }

  /** After a value: past a comma (its offset) or at `close` (undefined). */
  function separator(close: string): number | undefined {
    blanks();
    if (text[at] !== ',') {
      if (text[at] === close) return undefined;
      throw fail(`',' or '${close}' was expected, not ${seen()}`);
    }
    const comma = at++;
    blanks();
    if (text[at] === close && !dialect.trailingCommas) {
      throw fail(`a comma before '${close}', which this client does not read`, comma);
    }
    return comma;
  }

  function object(depth: number): ObjectNode {
    const start = at++;
    const members: Member[] = [];
    blanks();
    while (text[at] !== '}') {
      if (text[at] !== '"') throw fail(`a name in double quotes was expected, not ${seen()}`);
      const from = at;
      const key = string();
      blanks();
      if (text[at] !== ':') throw fail(`':' was expected, not ${seen()}`);
      at++;
      blanks();
      const node = value(depth + 1);
      members.push({ key, value: node, start: from, end: node.end, comma: separator('}') });
    }
    at++;
    return { kind: 'object', members, start, end: at };
  }

  function array(depth: number): JsonNode {
    const start = at++;
    const items: JsonNode[] = [];
    blanks();
    while (text[at] !== ']') {
      items.push(value(depth + 1));
      separator(']');
    }
    at++;
    return { kind: 'array', items, start, end: at };
  }

  blanks();
  if (at === text.length) return { root: undefined, comments };
  const root = value(0);
  blanks();
  if (at < text.length) throw fail(`nothing more was expected, but there is ${seen()}`);
  return { root, comments };
}

const WORDS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** The plain value of a node. Objects have no prototype; of equal names the last one counts, as every client reads them. */
export function toValue(node: JsonNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'array') return node.items.map(toValue);
  const made = Object.create(null) as Record<string, unknown>;
  for (const { key, value } of node.members) made[key] = toValue(value);
  return made;
}
