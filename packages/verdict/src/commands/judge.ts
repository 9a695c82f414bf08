// Judges one simple command: finds out which program it is, reads its arguments by that program's rule, and says what they do.
import path from 'node:path';
import { isProgramFolder, zoneOf, zonesOfPattern } from '../places/zones.ts';
import { placesOf, within } from '../places/place.ts';
import type { ProgramRule, Role } from '../rules/types.ts';
import { isDangerousVariable } from '../shell/env.ts';
import { madeAt } from '../shell/source.ts';
import { fork, type State, type Stream, UNKNOWN } from '../shell/state.ts';
import { exact, type Field, possible } from '../shell/value.ts';
import type { Judge, Walker } from '../shell/walk.ts';
import type { Decision, Override, Question, RuleSet } from '../types.ts';
import { judgeVariable } from './variables.ts';
import { overridden } from './overrides.ts';
import { type Arguments, readArguments, roleAt } from './read.ts';
import { deleteEffect, type Effect, readEffect, runEffect, writeEffect } from './roles.ts';
import { SPECIALS } from './special/index.ts';
import type { Invocation } from '../shell/invocation.ts';
import type { Bench } from './types.ts';
import { judgeUrl } from './urls.ts';

/** Programs that put into a file what comes from elsewhere. */
const BRINGS: ReadonlySet<string> = new Set([
  'curl',
  'wget',
  'tee',
  'cp',
  'mv',
  'ln',
  'install',
  'dd',
  'sponge',
  'sed',
  'openssl',
  'aria2c',
  'ed',
]);

/** Most levels of commands that start commands. */
const DEEPEST = 40;

/** The text an alias stands for, with the words that follow it; those that are not known stay so. */
function withArguments(alias: string, args: readonly Field[]): string {
  const words = args.map((field) => {
    const text = exact(field);
    return text === undefined ? '"$NOT_KNOWN"' : `'${text.replaceAll("'", String.raw`'\''`)}'`;
  });
  return [alias, ...words].join(' ');
}

function reportRow({ decision, message, source }: Override, bench: Bench): void {
  if (decision === 'allow') return;
  bench.report(decision, 'own-rule', message ?? `${bench.invocation.written} is ${decision} by a rule in ${source}`);
}

export function createJudge(question: Question, rules: RuleSet): Judge {
  const machine = question.machine ?? {};
  const around = { roots: question.roots ?? [question.cwd], machine };
  let depth = 0;

  /** links made by this program, which the machine does not know yet: what is below one is below its target */
  const links: { readonly from: string; readonly to: string | undefined }[] = [];
  const throughLinks = (place: string): (string | undefined)[] =>
    links.flatMap(({ from, to }) =>
      within(place, from) ? [to === undefined ? undefined : path.posix.normalize(to + place.slice(from.length))] : [],
    );

  // of another machine only what every machine has is known
  const far = { roots: [], machine: {} };
  const zones: (field: Field, state: State) => ReturnType<Bench['zones']> = (field, state) => {
    const cwds = state.cwds ?? [undefined];
    const found = [];
    const here = state.remote ? far : around;
    for (const cwd of cwds) {
      const places = placesOf(field, cwd, here);
      if (places === undefined) return undefined;
      for (const { path: place, name, pattern, open } of places) {
        const all =
          name === undefined ? [{ zone: zoneOf(place, here), path: place }] : zonesOfPattern(place, name, here);
        for (const each of all) found.push({ ...each, all: pattern === 'all', open });
        for (const other of state.remote ? [] : throughLinks(place)) {
          found.push({
            zone: other === undefined ? 'elsewhere' : zoneOf(other, here),
            path: other ?? place,
            all: pattern === 'all',
            open: open || other === undefined,
          } as const);
        }
      }
    }
    return found;
  };

  const self: Judge = {
    command(invocation, walker) {
      if (depth > DEEPEST) {
        walker.findings.report({
          rule: 'too-deep',
          decision: 'ask',
          message: 'commands start commands too deeply',
          command: invocation.written,
          span: invocation.span,
        });
        return UNKNOWN;
      }
      depth++;
      try {
        return judge(invocation, walker);
      } finally {
        depth--;
      }
    },
    redirect({ how, target }, state, walker) {
      const bench = benchFor(
        {
          fields: [target],
          own: new Map(),
          state,
          stdin: UNKNOWN,
          source: madeAt('', target.span),
          span: target.span,
          written: `${how === 'read' ? '<' : '>'} ${target.source}`,
        },
        walker,
      );
      bench.role(how, target);
      if (how === 'write')
        for (const { zone, path: file } of zones(target, state) ?? [])
          if (zone !== 'stream') walker.findings.written.add(file);
      const secret = zones(target, state)?.some((each) => each.zone === 'key') ?? false;
      return { network: zones(target, state)?.some((each) => each.zone === 'socket') ?? false, secret };
    },
    assignment(name, value, state, walker) {
      const bench = benchFor(
        {
          fields: [value],
          own: new Map(),
          state,
          stdin: UNKNOWN,
          source: madeAt('', value.span),
          span: value.span,
          written: `${name}=${value.source}`,
        },
        walker,
      );
      if (isDangerousVariable(name)) judgeVariable(name, value, bench);
    },
  };
  return self;

  function judge(invocation: Invocation, walker: Walker): Stream {
    const bench = benchFor(invocation, walker);
    const [program, ...args] = invocation.fields as [Field, ...Field[]];
    for (const [name, value] of invocation.own) if (isDangerousVariable(name)) judgeVariable(name, value, bench);
    const names = possible(program);
    if (names === undefined) {
      bench.report('ask', 'program-unknown', `which program ${program.source} is cannot be told before it runs`);
      return UNKNOWN;
    }
    let made: Stream | undefined;
    for (const name of names) {
      const stream = program1(name, args, bench);
      made =
        made === undefined ? stream : { network: made.network || stream.network, secret: made.secret || stream.secret };
    }
    return made ?? UNKNOWN;
  }

  function program1(name: string, args: readonly Field[], bench: Bench): Stream {
    const { invocation, walker } = bench;
    const { state, stdin } = invocation;
    if (name === '') {
      bench.report('ask', 'program-unknown', 'the name of the program is empty');
      return UNKNOWN;
    }
    const alias = state.aliases.get(name);
    if (/[^!-~]/.test(name))
      bench.report('ask', 'program-odd', 'the name of the program holds characters that look like others');
    if (alias !== undefined)
      walker.code(
        madeAt(withArguments(alias, args), invocation.span),
        fork(state, { depth: state.depth + 1, aliases: new Map() } as Partial<State>),
      );
    const called = walker.call(name, args, state, stdin);
    if (called) {
      bench.note(`calls the function ${name}`);
      return called;
    }
    let known = name;
    if (name.includes('/')) {
      const folder = path.posix.dirname(name);
      if (isProgramFolder(folder)) known = path.posix.basename(name);
      else if (!state.remote) return programFile(name, args, bench);
      else known = path.posix.basename(name);
    }
    const rule = rules.find(known);
    const override = ownRow(known, args, rule);
    let stream = UNKNOWN;
    const before = override?.mayLoosen ? walker.findings.mark() : undefined;
    if (rule) stream = byRule(rule, known, args, bench);
    else bench.report('ask', 'program-unlisted', `no rule says what ${known} does`);
    // the user's own word stands alone; anybody else's can only add to what the rules say
    if (before !== undefined) walker.findings.forget(before, bench.invocation.span);
    if (override) reportRow(override, bench);
    for (const each of rules.besides?.(known) ?? []) byRule(each, known, args, bench);
    return stream;
  }

  function ownRow(name: string, args: readonly Field[], rule: ProgramRule | undefined): Override | undefined {
    if (rules.overrides.length === 0) return undefined;
    const words = [name, ...args.map((field) => exact(field))];
    const others = [words.filter((each) => !each?.startsWith('-'))];
    if (rule) {
      const { path: sub, operands } = readArguments(rule, args);
      others.push([name, ...sub, ...operands.map((field) => exact(field))]);
    }
    return overridden(rules.overrides, words, others);
  }

  /** A program named by its path: the project's own, or one that nothing is known of. */
  function programFile(name: string, args: readonly Field[], bench: Bench): Stream {
    const { fields, stdin } = bench.invocation;
    bench.role('execute', fields[0] as Field);
    const own = rules.find(path.posix.basename(name));
    // a stricter row holds for every program of that name; a milder one was not said of this file
    const row = ownRow(path.posix.basename(name), args, own);
    if (row && !row.mayLoosen) reportRow(row, bench);
    for (const each of rules.besides?.(path.posix.basename(name)) ?? [])
      byRule(each, path.posix.basename(name), args, bench);
    // `node_modules/.bin/jest`, `venv/bin/python`: what they do is what the program of that name does
    if (own && /(^|\/)(node_modules\/\.bin|\.?v?env\/bin|vendor\/bin)\/[^/]+$/.test(name))
      return byRule(own, path.posix.basename(name), args, bench);
    // `./gradlew publish`: the project's own copy of a program whose arguments are known
    if (own) byRule(own, path.posix.basename(name), args, bench);
    const places = bench.zones(fields[0] as Field);
    const text = places?.length === 1 ? machine.read?.(places[0]!.path) : undefined;
    if (text !== undefined && /^#!\s*\S*\/(env\s+)?(ba|da|k|z)?sh\b/.test(text)) {
      bench.note(`reads the script ${name}`);
      return bench.shellText(text, { positional: args, stdin });
    }
    return { network: stdin.network, secret: stdin.secret };
  }

  function byRule(rule: ProgramRule, name: string, args: readonly Field[], bench: Bench): Stream {
    const { invocation, walker } = bench;
    const { stdin } = invocation;
    // rules are read against the words after the program's name
    const inner = benchFor({ ...invocation, fields: [invocation.fields[0] as Field, ...args] }, walker, rule, name);
    const special = rule.special === undefined ? undefined : SPECIALS[rule.special];
    if (rule.special !== undefined && !special) throw new Error(`no special reader '${rule.special}'`);
    let made: Stream;
    if (special) made = special(inner);
    else {
      inner.ordinary();
      made = { network: false, secret: false };
    }
    const state = inner.seen();
    const network = made.network || state.network;
    const secret = made.secret || state.secret;
    if ((network || state.sends) && (state.tainted || (secret && state.sends) || (stdin.secret && state.network))) {
      inner.report('deny', 'sends-keys', `${name} sends key material over the network`);
    }
    return { ...made, network: network || stdin.network, secret: secret || stdin.secret || state.tainted };
  }

  interface Seen {
    network: boolean;
    secret: boolean;
    sends: boolean;
    tainted: boolean;
  }

  function benchFor(
    invocation: Invocation,
    walker: Walker,
    rule?: ProgramRule,
    name?: string,
  ): Bench & { seen(): Seen } {
    const { state, span, written } = invocation;
    const seen: Seen = { network: false, secret: false, sends: false, tainted: false };
    const label = name ?? (/^[<>]/.test(written) ? written[0]! : (exact(invocation.fields[0]) ?? written));
    let parsed: Arguments | undefined;
    const apply = (made: Effect): void => {
      if (made.decision !== 'allow') bench.report(made.decision, made.rule, `${label} ${made.message}`);
    };
    const bench: Bench & { seen(): Seen } = {
      question,
      walker,
      invocation,
      seen: () => seen,
      report(decision, rule_, message) {
        walker.findings.report({ rule: rule_, decision, message, command: written, span });
      },
      note(text) {
        walker.findings.note(text);
      },
      linked(link, target) {
        const to = zones(target, state)?.[0];
        for (const { path: from } of zones(link, state) ?? []) {
          links.push({ from, to: to?.open ? undefined : to?.path });
          // a link into a directory has its target's name there
          if (to)
            links.push({
              from: path.posix.join(from, path.posix.basename(to.path)),
              to: to.open ? undefined : to.path,
            });
        }
      },
      knows: (program) => rules.find(program) !== undefined,
      zones: (field) => zones(field, state),
      role(role, field, how = {}) {
        if (walker.findings.tainted(field.span)) seen.tainted = true;
        if (how.network || role === 'url' || role === 'remote' || role === 'upload') seen.network = true;
        judgeRole(role, field, how);
      },
      command(fields, change = {}) {
        if (fields.length === 0) return UNKNOWN;
        const inner = fork(state, { stdin: invocation.stdin, ...change });
        const own = new Map<string, Field>();
        const stream = walker.findings.within(fields.map((field) => field.source).join(' '), fields[0]!.span, () =>
          self.command(
            { fields, own, state: inner, stdin: inner.stdin, source: invocation.source, span, written },
            walker,
          ),
        );
        return stream;
      },
      shell(field, change = {}) {
        return walker.codeOf(field, invocation.source, fork(state, { stdin: invocation.stdin, ...change }));
      },
      shellText(text, change = {}) {
        return walker.code(
          madeAt(text, span),
          fork(state, { stdin: invocation.stdin, depth: state.depth + 1, ...change }),
        );
      },
      read() {
        parsed ??= readArguments(rule ?? {}, invocation.fields.slice(1));
        return parsed;
      },
      ordinary() {
        const args = bench.read();
        judgeArguments(args, bench, label, seen);
        return args;
      },
      with: (fields) => benchFor({ ...invocation, fields }, walker, rule, name),
      ordinaryWithoutOperands() {
        const args = bench.read();
        judgeArguments({ ...args, operands: [] }, bench, label, seen);
        return args;
      },
    };
    return bench;

    function judgeRole(
      role: Role,
      field: Field,
      how: { readonly recursive?: boolean; readonly network?: boolean },
    ): void {
      switch (role) {
        case 'data':
        case 'mode':
        case 'remote':
        case 'package':
          return;
        case 'url':
          return judgeUrl(field, bench);
        case 'read':
        case 'upload': {
          for (const each of bench.zones(field) ?? []) {
            if (each.zone === 'key' || (each.zone !== 'device' && holdsKeys(each.path, how.recursive ?? false))) {
              seen.secret = true;
              if (role === 'upload')
                return bench.report('deny', 'sends-keys', `${label} sends ${each.path}, which holds keys or passwords`);
            }
            apply(readEffect(each.zone, each.path));
          }
          if (role === 'upload') {
            seen.sends = true;
            bench.report('ask', 'sends-file', `${label} sends ${field.source} to another machine`);
          }
          return;
        }
        case 'write':
        case 'into': {
          const places = bench.zones(field);
          if (places === undefined || places.some((each) => each.open && each.zone !== 'stream')) {
            return unknownPlace(field, 'writes to', places);
          }
          for (const each of places) {
            // `curl -o x.sh URL && sh x.sh`; what a compiler made of the project's sources is its own
            if (BRINGS.has(label)) walker.findings.written.add(each.path);
            apply(
              role === 'into' && each.zone === 'ancestor'
                ? writeEffect('elsewhere', each.path)
                : writeEffect(each.zone, each.path),
            );
            if (how.recursive && (each.zone === 'ancestor' || each.zone === 'system-top')) {
              bench.report('deny', 'changes-system', `${label} changes everything under ${each.path}`);
            }
          }
          return;
        }
        case 'delete':
        case 'move': {
          const places = bench.zones(field);
          if (places === undefined || places.some((each) => each.open)) {
            return unknownPlace(field, role === 'move' ? 'moves' : 'deletes', places, how.recursive);
          }
          for (const each of places)
            apply(deleteEffect(each.zone, each.path, role === 'move' || (how.recursive ?? false), each.all));
          return;
        }
        case 'execute': {
          const places = bench.zones(field);
          if (places === undefined || places.length === 0)
            return bench.report('ask', 'runs-unknown', `${label} runs ${field.source}, which cannot be told before`);
          if (/^[a-z]+:/.test(exact(field) ?? ''))
            bench.report('ask', 'runs-unknown', `${label} runs ${field.source}, which is not a file`);
          for (const each of places) {
            if (walker.findings.written.has(each.path))
              bench.report('ask', 'runs-written', `${label} runs ${each.path}, which this program itself has written`);
            apply(runEffect(each.zone, each.path));
          }
          return;
        }
        case 'script': {
          const places = bench.zones(field);
          const only = places?.length === 1 && !places[0]!.open ? places[0] : undefined;
          const text = only && !walker.findings.written.has(only.path) ? machine.read?.(only.path) : undefined;
          if (text !== undefined) {
            bench.note(`reads the script ${field.source}`);
            bench.shellText(text);
            return;
          }
          return judgeRole('execute', field, how);
        }
        case 'shell':
          bench.shell(field);
          return;
        case 'code':
          return bench.report(
            'ask',
            'runs-code',
            `${label} runs code of another language: ${field.source.slice(0, 80)}`,
          );
        case 'command':
          return;
        case 'device':
          return bench.report('deny', 'changes-device', `${label} changes the disk ${field.source}`);
        case 'pid': {
          const text = exact(field);
          if (text !== undefined && /^-?1$/.test(text))
            return bench.report(
              'deny',
              'kills-everything',
              `${label} ${text} ends the system's own process or every process`,
            );
          if (text === undefined)
            bench.report('ask', 'kills-unknown', `${label} ends a process that cannot be told before`);
          return;
        }
      }
    }

    function unknownPlace(field: Field, does: string, places: ReturnType<Bench['zones']>, recursive = false): void {
      // `rm -rf "$x/"*` and `rm -rf /$x`: if nothing is in the variable it is the root
      const [first, second] = field.pieces;
      const emptyIsTop =
        first?.kind === 'hole' &&
        second?.kind === 'text' &&
        /^\/+\*?$/.test(second.text) &&
        field.pieces.slice(2).every((each) => each.kind === 'glob');
      if (recursive && emptyIsTop) {
        return bench.report(
          'deny',
          'deletes-above',
          `${label} ${does} ${field.source}, which is everything if ${first.why} is empty`,
        );
      }
      const top = places?.find((each) => each.path === '/' || each.zone === 'ancestor' || each.zone === 'system-top');
      if (recursive && top)
        return bench.report(
          'deny',
          'deletes-above',
          `${label} ${does} ${field.source}, which is ${top.path} if the unknown part is empty`,
        );
      bench.report('ask', 'place-unknown', `${label} ${does} ${field.source}, which cannot be told before it runs`);
    }
  }

  function holdsKeys(file: string, recursive: boolean): boolean {
    const { home } = machine;
    return (
      recursive &&
      home !== undefined &&
      [home, '/', '/root', '/home', `${home}/.ssh`, `${home}/.aws`, `${home}/.gnupg`].includes(file)
    );
  }

  function judgeArguments(args: Arguments, bench: Bench, label: string, seen: Seen): void {
    const { rule, options, operands } = args;
    const dry = options.some((each) => each.rule.dry);
    const recursive = Boolean(rule.recursive) || options.some((each) => each.rule.recursive);
    const network = Boolean(rule.network) || options.some((each) => each.rule.network);
    if (network) seen.network = true;
    const spoken = [label, ...args.path].join(' ');
    if (args.unknownSub && rule.sub) {
      const decision = rule.otherSub ?? 'ask';
      if (decision !== 'allow')
        bench.report(decision, 'subcommand-unlisted', `no rule says what ${spoken} ${args.unknownSub.source} does`);
    }
    for (const each of args.unlisted)
      bench.report('ask', 'option-unlisted', `no rule says what ${each.source} means to ${spoken}`);
    for (const each of args.unsure)
      bench.report('ask', 'option-unknown', `${each.source} may be an option of ${spoken}`);
    const say = (decision: Decision | undefined, why: string | undefined, what: string): void => {
      if (decision !== undefined && decision !== 'allow')
        bench.report(
          decision,
          `${label}-${what.replace(/^-+/, '') || 'run'}`,
          `${spoken}${what === '' ? '' : ` ${what}`} ${why ?? 'is for a person to decide'}`,
        );
    };
    if (!dry) say(rule.decision, rule.why, '');
    for (const each of options) {
      if (!dry || each.rule.decision === 'deny') say(each.rule.decision, each.rule.why, each.name);
      if (each.value && each.rule.value) argument(each.rule.value, each.value);
    }
    const changed = options.flatMap((each) => (each.rule.operands === undefined ? [] : [each.rule.operands]));
    const roles = changed.at(-1) ?? rule.operands ?? 'data';
    for (let i = 0; i < operands.length; i++) {
      const role = roleAt(roles, i, operands.length);
      if (role === 'none') {
        bench.report('ask', 'operand-unexpected', `no rule says what ${operands[i]!.source} means to ${spoken}`);
        continue;
      }
      if (role === 'command') {
        bench.command(operands.slice(i));
        break;
      }
      argument(dry && ['write', 'into', 'delete', 'move'].includes(role) ? 'read' : role, operands[i]!);
    }

    function argument(role: Role, field: Field): void {
      bench.role(role, field, { recursive, network });
    }
  }
}
