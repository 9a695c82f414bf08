// The rules of one ignore file: its lines as ripgrep reads them, and what they say of a path below its directory.
import { compilePattern } from './pattern.ts';
import { GlobSyntaxError, parseGlob, type Token } from './syntax.ts';

/** What rules say of an entry. */
export const NOTHING = 0;
export const IGNORE = 1;
export const KEEP = 2;
export type Verdict = typeof NOTHING | typeof IGNORE | typeof KEEP;

/** One line that holds a rule. */
export interface Rule {
  /** the rule brings back instead of leaving out */
  readonly negated: boolean;
  readonly directoryOnly: boolean;
  readonly tokens: readonly Token[];
}

/**
 * The rule of one line without its end; undefined for a comment or a blank. Throws GlobSyntaxError. `openClass` as for
 * `parseGlob`.
 */
export function parseRule(line: string, openClass: boolean): Rule | undefined {
  if (line.startsWith('#')) return undefined;
  // an escaped blank at the very end keeps all of them
  let text = line.endsWith('\\ ') ? line : trimEnd(line);
  if (text === '') return undefined;
  let negated = false;
  let anchored = false;
  if (text.startsWith('\\!') || text.startsWith('\\#')) {
    text = text.slice(1);
    anchored = text.startsWith('/');
  } else {
    if (text.startsWith('!')) {
      negated = true;
      text = text.slice(1);
    }
    if (text.startsWith('/')) {
      anchored = true;
      text = text.slice(1);
    }
  }
  const directoryOnly = text.endsWith('/');
  if (directoryOnly) {
    text = text.slice(0, -1);
    if (text.endsWith('\\')) text = text.slice(0, -1);
  }
  // a pattern without a slash matches names at every depth
  if (!anchored && !text.includes('/') && text !== '**') text = `**/${text}`;
  // what is inside the directory, not the directory itself
  if (text.endsWith('/**')) text += '/*';
  return { negated, directoryOnly, tokens: parseGlob(text, openClass) };
}

/** Without blanks at the end, as Unicode's White_Space has them (`trimEnd` differs in two characters). */
function trimEnd(line: string): string {
  let end = line.length;
  while (end > 0 && /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/.test(line[end - 1]!)) end--;
  return line.slice(0, end);
}

/** The rules in the bytes of an ignore file. A line that cannot be read is passed over; one that is not UTF-8 is the last. */
export function parseRules(bytes: Uint8Array): Rule[] {
  const rules: Rule[] = [];
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for (let at = 0, first = true; at < bytes.length; first = false) {
    const newline = bytes.indexOf(0x0a, at);
    const end = newline === -1 ? bytes.length : newline;
    const cut = newline > at && bytes[newline - 1] === 0x0d ? newline - 1 : end;
    let line: string;
    try {
      line = decoder.decode(bytes.subarray(at, cut));
    } catch {
      break;
    }
    if (first) line = line.replace(/^\ufeff+/, '');
    at = end + 1;
    try {
      const rule = parseRule(line, true);
      if (rule) rules.push(rule);
    } catch (error) {
      if (!(error instanceof GlobSyntaxError)) throw error;
    }
  }
  return rules;
}

/** Rules made ready to be asked: later ones win. */
export class RuleSet {
  readonly #rules: readonly Rule[];
  /** by what decides: indexes of rules, the last first */
  readonly #names = new Map<string, number[]>();
  readonly #extensions = new Map<string, number[]>();
  readonly #paths = new Map<string, number[]>();
  readonly #tests: { readonly index: number; readonly onName: boolean; readonly test: (text: string) => boolean }[] =
    [];
  readonly #asksPath: boolean;

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
    for (let index = rules.length - 1; index >= 0; index--) {
      const pattern = compilePattern(rules[index]!.tokens);
      if (pattern.by === 'test') this.#tests.push({ index, onName: pattern.onName, test: pattern.test });
      else {
        const map = { name: this.#names, extension: this.#extensions, path: this.#paths }[pattern.by];
        const before = map.get(pattern.text);
        if (before) before.push(index);
        else map.set(pattern.text, [index]);
      }
    }
    this.#asksPath = this.#paths.size > 0 || this.#tests.some((each) => !each.onName);
  }

  get size(): number {
    return this.#rules.length;
  }

  /**
   * The last rule that matches decides. `path` is relative to the directory of the rules, given in two parts (the first
   * empty or with its slash); `name` is its last segment. All three are bytes.
   */
  judge(before: string, name: string, directory: boolean): Verdict {
    let best = this.#last(this.#names.get(name), -1, directory);
    if (this.#extensions.size > 0) {
      const dot = name.lastIndexOf('.');
      if (dot !== -1) best = this.#last(this.#extensions.get(name.slice(dot)), best, directory);
    }
    const path = this.#asksPath ? before + name : '';
    if (this.#paths.size > 0) best = this.#last(this.#paths.get(path), best, directory);
    for (const { index, onName, test } of this.#tests) {
      if (index < best) break;
      if (this.#rules[index]!.directoryOnly && !directory) continue;
      if (test(onName ? name : path)) {
        best = index;
        break;
      }
    }
    return best === -1 ? NOTHING : this.#rules[best]!.negated ? KEEP : IGNORE;
  }

  #last(indexes: readonly number[] | undefined, best: number, directory: boolean): number {
    if (indexes) {
      for (const index of indexes) {
        if (index < best) break;
        if (directory || !this.#rules[index]!.directoryOnly) return index;
      }
    }
    return best;
  }
}
