// The part of YAML that manifests and lock files use, read strictly: what is outside it is an error with its line, never a guess.

export type Yaml = string | null | readonly Yaml[] | YamlMap;
export type YamlMap = ReadonlyMap<string, Yaml>;

/** Deepest nesting read. */
const MOST_DEPTH = 40;
/** Longest line read. */
const MOST_LINE = 5000;

interface Line {
  readonly indent: number;
  readonly text: string;
  readonly number: number;
}

/** Reads a document of block maps, block lists, one-line flow forms and scalars; every scalar is its text. Throws with the line. */
export function parseYaml(text: string): Yaml {
  const reader = new Reader(text);
  const value = reader.block(0, 0);
  if (reader.peek()) throw bad(reader.peek(), 'is not indented as what it belongs to');
  return value;
}

/** The lines of one entry at the top, heading included: lock files are large, and little of them is asked for. */
export function topEntry(text: string, key: string): string | undefined {
  const start = text.startsWith(`${key}:`) ? 0 : text.indexOf(`\n${key}:`) + 1;
  if (start === 0 && !text.startsWith(`${key}:`)) return undefined;
  const end = /\n(?=[^\s#])/g;
  end.lastIndex = start;
  const stop = end.exec(text);
  return text.slice(start, stop ? stop.index : text.length);
}

export function map(value: Yaml | undefined): YamlMap {
  return value instanceof Map ? value : new Map();
}

export const scalar = (value: Yaml | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

export const list = (value: Yaml | undefined): readonly Yaml[] => (Array.isArray(value) ? value : []);

function bad(line: Line | undefined, why: string): Error {
  return new Error(`line ${line?.number ?? 1} ${why}`);
}

class Reader {
  readonly #lines: readonly Line[];
  #at = 0;

  constructor(text: string) {
    const lines: Line[] = [];
    for (const [i, raw] of text.split(/\r?\n/).entries()) {
      const bare = raw.trimStart();
      if (bare === '' || bare.startsWith('#') || /^(---|\.\.\.|%YAML)(\s|$)/.test(raw)) continue;
      if (raw.length > MOST_LINE)
        throw bad({ indent: 0, text: '', number: i + 1 }, `is longer than ${MOST_LINE} characters`);
      if (raw.slice(0, raw.length - bare.length).includes('\t')) {
        throw bad({ indent: 0, text: '', number: i + 1 }, 'is indented by a tab');
      }
      lines.push({ indent: raw.length - bare.length, text: bare.trimEnd(), number: i + 1 });
    }
    this.#lines = lines;
  }

  peek(): Line | undefined {
    return this.#lines[this.#at];
  }

  /** The value whose lines are indented by `least` or more. */
  block(least: number, depth: number): Yaml {
    const first = this.peek();
    if (!first || first.indent < least) return null;
    if (depth > MOST_DEPTH) throw bad(first, `is nested more than ${MOST_DEPTH} deep`);
    if (/^-(\s|$)/.test(first.text)) return this.#list(first.indent, depth);
    if (keyOf(first.text)) return this.#map(first.indent, depth);
    this.#at++;
    return inline(first.text, first);
  }

  #list(indent: number, depth: number): Yaml {
    const items: Yaml[] = [];
    for (let line = this.peek(); line?.indent === indent && /^-(\s|$)/.test(line.text); line = this.peek()) {
      const rest = line.text.slice(1).trimStart();
      if (rest === '' || rest.startsWith('#')) {
        this.#at++;
        items.push(this.block(indent + 1, depth + 1));
        continue;
      }
      // `- key: value` begins a map whose keys stand where the first one does.
      const inner = { indent: indent + line.text.length - rest.length, text: rest, number: line.number };
      (this.#lines as Line[])[this.#at] = inner;
      items.push(this.block(inner.indent, depth + 1));
    }
    return items;
  }

  #map(indent: number, depth: number): Yaml {
    const entries = new Map<string, Yaml>();
    for (let line = this.peek(); line?.indent === indent; line = this.peek()) {
      const found = keyOf(line.text);
      if (!found) throw bad(line, 'is neither a key nor a list entry');
      this.#at++;
      entries.set(found.key, this.#value(found.rest, line, depth));
    }
    return entries;
  }

  #value(rest: string, line: Line, depth: number): Yaml {
    if (/^[|>][+-]?\d?$/.test(rest)) return this.#folded(line.indent);
    if (rest !== '') return inline(rest, line);
    const next = this.peek();
    // A list may stand at the indentation of its key.
    if (next?.indent === line.indent && /^-(\s|$)/.test(next.text)) return this.#list(next.indent, depth + 1);
    return this.block(line.indent + 1, depth + 1);
  }

  #folded(indent: number): string {
    const lines: string[] = [];
    for (let line = this.peek(); line && line.indent > indent; line = this.peek()) {
      lines.push(line.text);
      this.#at++;
    }
    return lines.join('\n');
  }
}

/** `key: rest`, with the key bare or quoted, and a comment taken off the rest. */
function keyOf(text: string): { key: string; rest: string } | undefined {
  const found =
    /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s'"[\]{}#&*!|>%@`-][^#]*?|-[^\s#][^#]*?|@[^\s#:]+))\s*:(?:\s+(.*))?$/.exec(
      text,
    );
  if (!found) return undefined;
  const [, double, single, bare, rest = ''] = found;
  return { key: double ?? single?.replaceAll("''", "'") ?? bare ?? '', rest: uncommented(rest) };
}

function uncommented(text: string): string {
  if (/^["']/.test(text)) {
    const quoted = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*(#.*)?$/.exec(text);
    return quoted?.[1] ?? text;
  }
  return text.replace(/(^|\s)#.*$/, '').trimEnd();
}

function inline(text: string, line: Line): Yaml {
  const given = uncommented(text);
  if (/^[[{]/.test(given)) return flow(given, line);
  return plain(given, line);
}

function plain(text: string, line: Line): Yaml {
  if (text === '' || text === '~' || text === 'null') return null;
  if (text.startsWith('"')) {
    if (!/^"(?:[^"\\]|\\.)*"$/.test(text)) throw bad(line, 'has a quote that does not end');
    return text.slice(1, -1).replaceAll(/\\(.)/g, (_, each: string) => (each === 'n' ? '\n' : each));
  }
  if (text.startsWith("'")) {
    if (!/^'(?:[^']|'')*'$/.test(text)) throw bad(line, 'has a quote that does not end');
    return text.slice(1, -1).replaceAll("''", "'");
  }
  if (/^[&*!]/.test(text)) throw bad(line, 'has an anchor, an alias or a tag, which are not read here');
  return text;
}

/** `[a, b]` and `{a: b}` on one line. */
function flow(text: string, line: Line): Yaml {
  const tokens =
    text.match(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[[\]{},]|:(?=\s|$)|[^[\]{},"':\s](?:[^[\]{},:]|:(?!\s|$))*/g) ?? [];
  let at = 0;
  const value = (depth: number): Yaml => {
    if (depth > MOST_DEPTH) throw bad(line, `is nested more than ${MOST_DEPTH} deep`);
    const token = tokens[at++];
    if (token === '[') {
      const items: Yaml[] = [];
      while (tokens[at] !== ']') {
        if (at >= tokens.length) throw bad(line, 'has a bracket that does not close on its line');
        items.push(value(depth + 1));
        if (tokens[at] === ',') at++;
      }
      at++;
      return items;
    }
    if (token === '{') {
      const entries = new Map<string, Yaml>();
      while (tokens[at] !== '}') {
        if (at >= tokens.length) throw bad(line, 'has a brace that does not close on its line');
        const key = plain((tokens[at++] ?? '').trim(), line);
        if (tokens[at] === ':') at++;
        entries.set(
          typeof key === 'string' ? key : '',
          tokens[at] === ',' || tokens[at] === '}' ? null : value(depth + 1),
        );
        if (tokens[at] === ',') at++;
      }
      at++;
      return entries;
    }
    if (token === undefined || /^[\]},:]$/.test(token)) throw bad(line, 'has brackets that do not match');
    return plain(token.trim(), line);
  };
  const whole = value(0);
  if (at < tokens.length) throw bad(line, 'goes on after its bracket');
  return whole;
}
