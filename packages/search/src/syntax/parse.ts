// A pattern in ripgrep's dialect (Rust's regex) to its meaning. Keeps its own stack: no pattern is too deep for the machine's.
import { SearchError } from '../types.ts';
import { alternate, concat, EMPTY, leaf, literal, repeat, set } from './build.ts';
import type { Node } from './build.ts';
import { readClass } from './class.ts';
import { Cursor } from './cursor.ts';
import { readEscape } from './escape.ts';
import { initialFlags, readFlags } from './flags.ts';
import type { Flags } from './flags.ts';
import type { Hir, Look, PatternOptions } from './hir.ts';
import { ALL_BYTES, ALL_SCALARS, subtract } from './ranges.ts';
import { withoutNewline } from './newline.ts';

/** Levels of groups, repetitions and so on, as ripgrep counts them. */
const MAX_DEPTH = 250;
/** Leaves after repetitions are written out: every part of the engine can hold that many states. */
const MAX_SIZE = 250_000;
const MAX_COUNT = 0xffff_ffff;

/** A group that is open. */
interface Group {
  readonly start: number;
  readonly flags: Flags;
  branches: Node[];
  parts: Node[];
}

/**
 * The meaning of a pattern. Throws SearchError `PATTERN`: the pattern is not one, is too large, or can match a line end
 * although `multiline` is not set. An empty pattern matches everywhere.
 */
export function parsePattern(pattern: string, options: PatternOptions): Hir {
  const parser = new Parser(pattern, options);
  const node = options.literal ? parser.readLiteral() : parser.read();
  let { hir } = node;
  if (!options.multiline) hir = withoutNewline(hir, (leafHir) => parser.positionOf(leafHir));
  if (!options.word) return hir;
  const inner = hir.kind === 'concat' ? hir.parts : [hir];
  return { kind: 'concat', parts: [edge('word-start-half'), ...inner, edge('word-end-half')] };
}

function edge(look: Look): Hir {
  return { kind: 'look', look, unicode: true };
}

class Parser {
  readonly #cursor: Cursor;
  #flags: Flags;
  #group: Group;
  readonly #stack: Group[] = [];
  readonly #names = new Set<string>();
  /** where leaves that are `\n` and nothing else were written */
  readonly #newlines = new Map<Hir, number>();

  constructor(pattern: string, options: PatternOptions) {
    this.#cursor = new Cursor(pattern);
    this.#flags = initialFlags(options.ignoreCase);
    this.#group = { start: -1, flags: this.#flags, branches: [], parts: [] };
  }

  positionOf(hir: Hir): number | undefined {
    const at = this.#newlines.get(hir);
    return at === undefined ? undefined : this.#cursor.offset(at);
  }

  readLiteral(): Node {
    const nodes: Node[] = [];
    for (; !this.#cursor.done; this.#cursor.bump()) {
      nodes.push(this.#leaf(literal(this.#cursor.char.codePointAt(0)!, false, this.#flags), this.#cursor.at));
    }
    return concat(nodes);
  }

  read(): Node {
    const cursor = this.#cursor;
    for (cursor.skip(); !cursor.done; cursor.skip()) this.#readOne();
    if (this.#stack.length > 0)
      cursor.fail('this group is not closed; end it with ), or write \\( for a parenthesis', this.#group.start);
    const node = this.#finish();
    if (node.depth + 1 > MAX_DEPTH) cursor.fail(`the pattern is nested more than ${MAX_DEPTH} levels deep`, 0);
    return node;
  }

  #readOne(): void {
    const cursor = this.#cursor;
    const { at, char } = cursor;
    const { parts } = this.#group;
    switch (char) {
      case '(':
        return this.#openGroup();
      case ')':
        return this.#closeGroup();
      case '|':
        this.#group.branches.push(concat(parts));
        this.#group.parts = [];
        return cursor.bump();
      case '?':
      case '*':
      case '+':
        cursor.bump();
        return this.#repeat(at, char === '+' ? 1 : 0, char === '?' ? 1 : Infinity);
      case '{':
        return this.#readCount();
      case '[': {
        const { ranges, depth } = readClass(cursor, this.#flags);
        parts.push(this.#leaf(set(ranges, this.#flags), at, depth));
        return;
      }
      case '\\':
        parts.push(this.#readEscape());
        return;
      default:
        cursor.bump();
        parts.push(this.#leaf(this.#plain(char), at));
    }
  }

  #plain(char: string): Hir {
    const { lines, crlf, dotAll, unicode } = this.#flags;
    const end = crlf ? '-crlf' : '';
    if (char === '^')
      return { kind: 'look', look: lines ? (`line-start${end}` as const) : 'text-start', unicode: true };
    if (char === '$') return { kind: 'look', look: lines ? (`line-end${end}` as const) : 'text-end', unicode: true };
    if (char !== '.') return literal(char.codePointAt(0)!, false, this.#flags);
    const all = unicode ? ALL_SCALARS : ALL_BYTES;
    return set(dotAll ? all : subtract(all, crlf ? [0x0a, 0x0a, 0x0d, 0x0d] : [0x0a, 0x0a]), this.#flags);
  }

  #readEscape(): Node {
    const { at } = this.#cursor;
    const escape = readEscape(this.#cursor, this.#flags);
    if (escape.kind === 'look') {
      const word = escape.look !== 'text-start' && escape.look !== 'text-end';
      return leaf({ kind: 'look', look: escape.look, unicode: word ? this.#flags.unicode : true });
    }
    if (escape.kind === 'set') return this.#leaf(set(escape.ranges, this.#flags), at);
    return this.#leaf(literal(escape.point, escape.byte, this.#flags), at);
  }

  #leaf(hir: Hir, at: number, depth = 0): Node {
    if (hir.kind === 'class' && hir.ranges.length === 2 && hir.ranges[0] === 10 && hir.ranges[1] === 10) {
      this.#newlines.set(hir, at);
    }
    return leaf(hir, depth);
  }

  /** What the group holds as far as it was read. */
  #finish(): Node {
    const { branches, parts } = this.#group;
    const node = alternate([...branches, concat(parts)]);
    if (node.size > MAX_SIZE) this.#tooLarge();
    return node;
  }

  #tooLarge(): never {
    return this.#cursor.fail(
      `written out, the repetitions of this pattern hold more than ${MAX_SIZE} characters; use smaller counts`,
      0,
    );
  }

  #setFlags(flags: Flags): void {
    this.#flags = flags;
    this.#cursor.verbose = flags.verbose;
  }

  #openGroup(): void {
    const cursor = this.#cursor;
    const start = cursor.at;
    const outer = this.#flags;
    cursor.step();
    const around = ['?=', '?!', '?<=', '?<!'].find((prefix) => cursor.take(prefix));
    if (around !== undefined) {
      cursor.fail(
        `look-around such as (${around}...) is not supported; \`backtrack\` takes a JavaScript expression that has it`,
        start,
      );
    }
    if (cursor.take('?P<') || cursor.take('?<')) {
      this.#readName();
    } else if (cursor.take('?')) {
      if (cursor.char === 'P')
        cursor.fail('(?P is followed by <name>; back-references by name need `backtrack`', start);
      if (cursor.char === '>' || cursor.char === '#')
        cursor.fail(`(?${cursor.char} is not supported; a group without capture is (?:...)`, start);
      const { flags, count } = readFlags(cursor, outer);
      if (cursor.char === ')') {
        if (count === 0) cursor.fail('(?) sets no flag; write for example (?i)', start);
        cursor.bump();
        this.#group.parts.push({ ...EMPTY, flags: true });
        return this.#setFlags(flags);
      }
      cursor.bump();
      this.#setFlags(flags);
    }
    // Groups that wait for their end are the depth of the tree to come: stop here, not after a million of them.
    if (this.#stack.length >= MAX_DEPTH) cursor.fail(`groups are nested more than ${MAX_DEPTH} levels deep`, start);
    this.#stack.push(this.#group);
    this.#group = { start, flags: outer, branches: [], parts: [] };
  }

  #closeGroup(): void {
    const parent = this.#stack.pop();
    if (parent === undefined) this.#cursor.fail('this ) closes nothing; write \\) for a parenthesis');
    const node = this.#finish();
    this.#setFlags(this.#group.flags);
    this.#group = parent;
    parent.parts.push({ ...node, depth: node.depth + 1, flags: false });
    this.#cursor.bump();
  }

  #readName(): void {
    const cursor = this.#cursor;
    const start = cursor.at;
    for (; cursor.char !== '>'; cursor.bump()) {
      if (cursor.done) cursor.fail('the name of a group ends with >', start);
      const fits = cursor.at === start ? /[_\p{Alphabetic}]/u : /[_.[\]\p{Alphabetic}\p{N}]/u;
      if (!fits.test(cursor.char))
        cursor.fail('the name of a group is made of letters, digits, _ . [ and ], and starts with a letter or _');
    }
    const name = cursor.since(start);
    if (name === '') cursor.fail('the name of a group is empty', start);
    if (this.#names.has(name)) cursor.fail(`two groups are named ${JSON.stringify(name)}`, start);
    this.#names.add(name);
    cursor.bump();
  }

  /** Repeats the part before; the cursor is past the operator. */
  #repeat(at: number, min: number, max: number): void {
    const cursor = this.#cursor;
    const node = this.#group.parts.pop();
    if (node === undefined || node.flags === true)
      return cursor.fail('there is nothing to repeat here; write a \\ before it for the character itself', at);
    const lazy = cursor.take('?');
    const repeated = repeat(node, min, max, lazy === this.#flags.swap);
    if (repeated.size > MAX_SIZE) this.#tooLarge();
    if (repeated.depth >= MAX_DEPTH) cursor.fail(`the pattern is nested more than ${MAX_DEPTH} levels deep`, at);
    this.#group.parts.push(repeated);
  }

  /** `{n}`, `{n,}` and `{n,m}`. */
  #readCount(): void {
    const cursor = this.#cursor;
    const { at } = cursor;
    const before = this.#group.parts.at(-1);
    if (before === undefined || before.flags === true)
      cursor.fail('there is nothing to repeat here; write \\{ for a brace', at);
    cursor.step();
    const min = this.#readNumber(at);
    let max = min;
    if (cursor.char === ',') {
      cursor.step();
      max = cursor.is('}') ? Infinity : this.#readNumber(at);
    }
    if (!cursor.is('}')) cursor.fail('this repetition is not closed; write {n}, {n,} or {n,m}, or \\{ for a brace', at);
    if (min > max) cursor.fail(`this repetition counts down from ${min} to ${max}; write the smaller number first`, at);
    cursor.step();
    this.#repeat(at, min, max);
  }

  #readNumber(start: number): number {
    const cursor = this.#cursor;
    const blank = /\p{White_Space}/u;
    while (blank.test(cursor.char)) cursor.bump();
    let digits = '';
    for (; cursor.char >= '0' && cursor.char <= '9'; cursor.step()) digits += cursor.char;
    while (blank.test(cursor.char)) cursor.step();
    if (digits === '')
      cursor.fail('this repetition has no number; write {n}, {n,} or {n,m}, or \\{ for a brace', start);
    const value = Number(digits);
    if (value > MAX_COUNT) throw new SearchError('PATTERN', `${digits} is too large a count`, cursor.offset(start));
    return value;
  }
}
