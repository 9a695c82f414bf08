// Reads the arguments of a command by its rule: which are options, which values, which operands, which a command of their own.
import type { CommandRule, Operands, OptionRule, Role } from '../rules/types.ts';
import { after, exact, type Field, heads, mayBeOption } from '../shell/value.ts';

export interface Option {
  /** as it is listed: `--output` */
  readonly name: string;
  readonly rule: OptionRule;
  readonly value: Field | undefined;
}

export interface Arguments {
  readonly options: readonly Option[];
  /** options that no rule lists */
  readonly unlisted: readonly Field[];
  /** what may be an option, and cannot be told */
  readonly unsure: readonly Field[];
  readonly operands: readonly Field[];
  /** the subcommand that was found: its rule is `rule`, its words `path` */
  readonly rule: CommandRule;
  readonly path: readonly string[];
  /** a word stands where a subcommand is expected, and none of its name is listed */
  readonly unknownSub: Field | undefined;
}

interface Table {
  readonly exact: ReadonlyMap<string, OptionRule>;
  readonly long: readonly string[];
}

const tables = new WeakMap<CommandRule, Table>();

/** A bare role stands for an option with a value, `flag` for one without. */
function tableOf(rule: CommandRule): Table {
  const known = tables.get(rule);
  if (known) return known;
  const exactly = new Map<string, OptionRule>();
  for (const [spellings, entry] of Object.entries(rule.options ?? {})) {
    const option: OptionRule = entry === 'flag' ? {} : typeof entry === 'string' ? { value: entry } : entry;
    for (const each of spellings.split(',')) exactly.set(each.trim(), option);
  }
  const table = { exact: exactly, long: [...exactly.keys()].filter((each) => each.startsWith('--')) };
  tables.set(rule, table);
  return table;
}

/** Looks an option up in the rule of the subcommand, then in those above it. */
function lookUp(chain: readonly CommandRule[], name: string): OptionRule | undefined {
  for (const rule of chain) {
    const found = tableOf(rule).exact.get(name);
    if (found) return found;
  }
  return undefined;
}

function abbreviated(chain: readonly CommandRule[], name: string): { name: string; rule: OptionRule }[] {
  return chain.flatMap((rule) => {
    const table = tableOf(rule);
    return table.long
      .filter((each) => each.startsWith(name))
      .map((each) => ({ name: each, rule: table.exact.get(each)! }));
  });
}

/** Reads `args` (without the program's own name). */
export function readArguments(start: CommandRule, args: readonly Field[]): Arguments {
  const options: Option[] = [];
  const unlisted: Field[] = [];
  const unsure: Field[] = [];
  const operands: Field[] = [];
  const path: string[] = [];
  const chain: CommandRule[] = [start];
  let unknownSub: Field | undefined;
  let rule = start;
  let ended = false;
  for (let i = 0; i < args.length; i++) {
    const field = args[i]!;
    const text = exact(field);
    if (!ended && text === '--') {
      ended = true;
      continue;
    }
    const head = text ?? (mayBeOption(field) ? (heads(field)[0] ?? '') : undefined);
    const looksOption = !ended && head !== undefined && head.startsWith('-') && (head.length > 1 || text === undefined);
    if (looksOption) {
      i += readOption(field, head, args[i + 1]);
      continue;
    }
    if (!ended && text === undefined && mayBeOption(field)) {
      // `$x`: an option, or not
      if (rule.otherOptions !== 'harmless') unsure.push(field);
    }
    if (operands.length === 0 && rule.sub && unknownSub === undefined) {
      const found = text === undefined ? undefined : own(rule.sub, text);
      if (found) {
        rule = found;
        chain.unshift(found);
        path.push(text as string);
        continue;
      }
      unknownSub = field;
    }
    operands.push(field);
    if (rule.optionsFirst) ended = true;
  }
  return { options, unlisted, unsure, operands, rule, path, unknownSub };

  /** Takes one word of options; gives how many following words were its value (0 or 1). */
  function readOption(field: Field, head: string, next: Field | undefined): number {
    const known = exact(field) !== undefined;
    if (head.startsWith('--') || rule.bundles === false) {
      const cut = head.indexOf('=');
      const name = cut < 0 ? head : head.slice(0, cut);
      const value = cut < 0 ? undefined : after(field, cut + 1);
      if (cut < 0 && !known) {
        unsure.push(field);
        return 0;
      }
      const direct = lookUp(chain, name);
      const candidates = direct
        ? [{ name, rule: direct }]
        : name.startsWith('--') && name.length > 2
          ? abbreviated(chain, name)
          : [];
      if (candidates.length === 0) {
        if (!harmless()) unlisted.push(field);
        return 0;
      }
      let taken = 0;
      for (const each of candidates) {
        const separate = value === undefined && each.rule.value !== undefined && !each.rule.attached;
        options.push({ ...each, value: value ?? (separate ? next : undefined) });
        if (separate) taken = 1;
      }
      return taken;
    }
    const whole = known ? lookUp(chain, head) : undefined;
    if (whole) {
      const separate = whole.value !== undefined && !whole.attached;
      options.push({ name: head, rule: whole, value: separate ? next : undefined });
      // `-m module`: all that follows is for the module
      if (whole.value === 'command') ended = true;
      return separate ? 1 : 0;
    }
    for (let at = 1; at < head.length; at++) {
      const name = `-${head[at]}`;
      const option = lookUp(chain, name) ?? (/\d/.test(head[at]!) ? lookUp(chain, '-#') : undefined);
      if (!option) {
        if (!harmless()) unlisted.push(field);
        return 0;
      }
      if (option.value === undefined) {
        options.push({ name, rule: option, value: undefined });
        continue;
      }
      const attached = at + 1 < head.length || !known;
      if (attached) {
        options.push({ name, rule: option, value: after(field, at + 1 + (head[at + 1] === '=' ? 1 : 0)) });
        return 0;
      }
      options.push({ name, rule: option, value: option.attached ? undefined : next });
      return option.attached ? 0 : 1;
    }
    // `-$x`
    if (!known) unsure.push(field);
    return 0;
  }

  function harmless(): boolean {
    return rule.otherOptions === 'harmless';
  }
}

function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The role of operand `i` of `count`. */
export function roleAt(operands: Operands, i: number, count: number): Role | 'none' {
  if (typeof operands === 'string') return operands;
  const { first = [], last = [], rest = 'data' } = operands;
  if (i < first.length) return first[i]!;
  const fromEnd = count - i;
  if (fromEnd <= last.length) return last[last.length - fromEnd]!;
  return rest;
}
