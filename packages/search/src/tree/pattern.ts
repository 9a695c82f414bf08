// What the tokens of a glob match: a cheap form where there is one, else a test whose time is bounded whatever the glob.
import type { ByteSet, Token } from './syntax.ts';

/** How a glob is asked. `name` is the last segment of `path`; both are bytes. */
export type Pattern =
  | { readonly by: 'name' | 'extension' | 'path'; readonly text: string }
  | { readonly by: 'test'; readonly onName: boolean; readonly test: (text: string) => boolean };

/** The pattern of `tokens`. */
export function compilePattern(tokens: readonly Token[]): Pattern {
  const rest = tokens[0]?.type === 'prefix' ? tokens.slice(1) : undefined;
  if (rest && rest.length > 0 && rest.every(staysInName)) return onName(rest);
  const whole = textOf(tokens);
  if (whole !== undefined) return { by: 'path', text: whole };
  const tail = rest && rest.length > 0 ? textOf(rest) : undefined;
  if (tail !== undefined) {
    const after = `/${tail}`;
    return { by: 'test', onName: false, test: (path) => path === tail || path.endsWith(after) };
  }
  return { by: 'test', onName: false, test: compileTest(tokens) };
}

function onName(tokens: readonly Token[]): Pattern {
  const text = textOf(tokens);
  if (text !== undefined) return { by: 'name', text };
  const first = tokens[0]!.type === 'star' ? textOf(tokens.slice(1)) : undefined;
  if (first !== undefined) {
    if (/^\.[^.]*$/s.test(first)) return { by: 'extension', text: first };
    return { by: 'test', onName: true, test: (name) => name.endsWith(first) };
  }
  const last = tokens.at(-1)!.type === 'star' ? textOf(tokens.slice(0, -1)) : undefined;
  if (last !== undefined) return { by: 'test', onName: true, test: (name) => name.startsWith(last) };
  return { by: 'test', onName: true, test: compileTest(tokens) };
}

/** Can the token not match a slash? (A class can: ripgrep's do.) */
function staysInName(token: Token): boolean {
  return token.type === 'any' || token.type === 'star' || (token.type === 'byte' && token.byte !== '/');
}

/** The text that the tokens are, if they are nothing but text. */
function textOf(tokens: readonly Token[]): string | undefined {
  let text = '';
  for (const token of tokens) {
    if (token.type !== 'byte') return undefined;
    text += token.byte;
  }
  return text === '' ? undefined : text;
}

function compileTest(tokens: readonly Token[]): (text: string) => boolean {
  const needed = longestText(tokens);
  const test = loops(tokens) <= 2 ? byExpression(tokens) : bySimulation(tokens);
  return needed === '' ? test : (text) => text.includes(needed) && test(text);
}

/** The longest text that whatever matches must hold. */
function longestText(tokens: readonly Token[]): string {
  let best = '';
  let run = '';
  for (const token of tokens) {
    run = token.type === 'byte' ? run + token.byte : '';
    if (run.length > best.length) best = run;
  }
  return best;
}

/** How many places can take more or less text: a backtracking match costs the length to that power. */
function loops(tokens: readonly Token[]): number {
  let count = 0;
  for (const [i, token] of tokens.entries()) {
    if (token.type === 'alternates') {
      // with one loop inside a branch and another outside the powers add up; the simulation takes those
      for (const branch of token.branches) count += loops(branch) > 0 ? 3 : 0;
    } else if (token.type === 'star') count += tokens[i - 1]?.type === 'star' ? 0 : 1;
    else if (token.type === 'prefix' || token.type === 'suffix' || token.type === 'middle') count++;
  }
  return count;
}

function byExpression(tokens: readonly Token[]): (text: string) => boolean {
  const source = tokens.length === 1 && tokens[0]!.type === 'prefix' ? '.*' : sourceOf(tokens);
  const expression = new RegExp(`^(?:${source})$`, 's');
  return (text) => expression.test(text);
}

function sourceOf(tokens: readonly Token[]): string {
  let source = '';
  for (const [i, token] of tokens.entries()) {
    switch (token.type) {
      case 'byte':
        source += escapeByte(token.byte.charCodeAt(0));
        break;
      case 'any':
        source += '[^/]';
        break;
      case 'star':
        if (tokens[i - 1]?.type !== 'star') source += '[^/]*';
        break;
      case 'prefix':
        source += '(?:/?|.*/)';
        break;
      case 'suffix':
        source += '/.*';
        break;
      case 'middle':
        source += '(?:/|/.*/)';
        break;
      case 'class':
        source += classSource(token.bytes);
        break;
      case 'alternates': {
        // an empty branch is no branch
        const branches = token.branches.map(sourceOf).filter((each) => each !== '');
        if (branches.length > 0) source += `(?:${branches.join('|')})`;
        break;
      }
    }
  }
  return source;
}

function escapeByte(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`;
}

function classSource(bytes: ByteSet): string {
  let inner = '';
  for (let low = 0; low < 256; low++) {
    if (!bytes[low]) continue;
    let high = low;
    while (high < 255 && bytes[high + 1]) high++;
    inner += `${escapeByte(low)}-${escapeByte(high)}`;
    low = high;
  }
  return `[${inner}]`;
}

/** One state of the simulation: takes a byte of `bytes` and goes on, or (without `bytes`) goes on to each of `next`. */
interface State {
  readonly bytes: ByteSet | undefined;
  readonly next: number[];
}

/** All states at once, byte by byte: time is the length of the text times the length of the glob. */
function bySimulation(tokens: readonly Token[]): (text: string) => boolean {
  const states: State[] = [];
  const start = build(states, tokens);
  const end = states.length - 1;
  // the last moment at which a state was entered: no state is entered twice for one byte
  const entered = new Float64Array(states.length);
  let moment = 0;
  const enter = (into: number[], state: number): void => {
    const open = [state];
    for (let each = open.pop(); each !== undefined; each = open.pop()) {
      if (entered[each] === moment) continue;
      entered[each] = moment;
      const { bytes, next } = states[each]!;
      if (bytes || each === end) into.push(each);
      else open.push(...next);
    }
  };
  return (text) => {
    moment++;
    let now: number[] = [];
    enter(now, start);
    for (let i = 0; i < text.length && now.length > 0; i++) {
      const byte = text.charCodeAt(i);
      const then: number[] = [];
      moment++;
      for (const each of now) {
        const { bytes, next } = states[each]!;
        if (bytes?.[byte]) enter(then, next[0]!);
      }
      now = then;
    }
    return now.includes(end);
  };
}

const EVERY: ByteSet = new Uint8Array(256).fill(1);
const SEGMENT: ByteSet = new Uint8Array(256).fill(1).fill(0, 0x2f, 0x30);
const SLASH: ByteSet = new Uint8Array(256).fill(1, 0x2f, 0x30);

/** Adds the states of `tokens`; the last one added is where they end. Returns where they begin. */
function build(states: State[], tokens: readonly Token[]): number {
  const add = (bytes?: ByteSet): number => states.push({ bytes, next: [] }) - 1;
  const begin = add();
  const take = (bytes: ByteSet): void => {
    const from = states.length - 1;
    const step = add(bytes);
    states[from]!.next.push(step);
    states[step]!.next.push(add());
  };
  const loop = (bytes: ByteSet): void => {
    const from = states.length - 1;
    const step = add(bytes);
    states[from]!.next.push(step);
    states[step]!.next.push(from);
    states[from]!.next.push(add());
  };
  const optional = (inner: () => void): void => {
    const from = states.length - 1;
    // a state of its own, because a loop comes back to where it begins
    states[from]!.next.push(add());
    inner();
    states[from]!.next.push(states.length - 1);
  };
  for (const token of tokens) {
    switch (token.type) {
      case 'byte': {
        const code = token.byte.charCodeAt(0);
        take(new Uint8Array(256).fill(1, code, code + 1));
        break;
      }
      case 'any':
        take(SEGMENT);
        break;
      case 'star':
        loop(SEGMENT);
        break;
      case 'class':
        take(token.bytes);
        break;
      case 'suffix':
        take(SLASH);
        loop(EVERY);
        break;
      case 'prefix': {
        optional(() => {
          loop(EVERY);
          take(SLASH);
        });
        break;
      }
      case 'middle': {
        take(SLASH);
        optional(() => {
          loop(EVERY);
          take(SLASH);
        });
        break;
      }
      case 'alternates': {
        const from = states.length - 1;
        const ends: number[] = [];
        for (const branch of token.branches) {
          if (branch.length === 0) continue;
          states[from]!.next.push(build(states, branch));
          ends.push(states.length - 1);
        }
        const after = add();
        for (const each of ends) states[each]!.next.push(after);
        if (ends.length === 0) states[from]!.next.push(after);
        break;
      }
    }
  }
  return begin;
}
