// Goes through a whole program in the order it would run, and hands every simple command to the judge.
import {
  type ArithmeticExpression,
  type Command,
  type CompoundList,
  forEachChild,
  parse,
  type ParsedScript,
  type PipelineNode,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type Word,
} from 'unbash';
import { Findings } from '../findings.ts';
import { expandParts, expandWhole, expandWord, type ExpandContext, visitNested } from './expand.ts';
import type { Invocation } from './invocation.ts';
import { madeAt, partOf, type Source } from './source.ts';
import { fork, joinInto, joinPlaces, NOTHING, type State, type Stream, UNKNOWN } from './state.ts';
import { exact, type Field, possible, type Span } from './value.ts';

/** Code within code within code; deeper asks. */
const DEEPEST = 12;
/** Simple commands judged of one program; more ask. */
const MOST_COMMANDS = 5000;

/** What is done with a redirection's target. */
export type Redirected = { readonly how: 'read' | 'write'; readonly target: Field };

/** What the walk asks of each thing it meets. */
export interface Judge {
  command(invocation: Invocation, walker: Walker): Stream;
  redirect(redirected: Redirected, state: State, walker: Walker): Stream;
  assignment(name: string, value: Field, state: State, walker: Walker): void;
}

export class Walker {
  readonly findings: Findings;
  readonly #judge: Judge;
  readonly #home: string | undefined;
  #commands = 0;
  readonly #called = new Set<object>();

  constructor(judge: Judge, findings: Findings, home: string | undefined) {
    this.#judge = judge;
    this.findings = findings;
    this.#home = home;
  }

  /** Shell code as text: of the question, of `sh -c`, of `eval`, of a script. */
  code(source: Source, state: State): Stream {
    const span = source.span(0, source.text.length);
    if (state.depth > DEEPEST)
      return this.#undecided('too-deep', 'code is nested too deeply to follow', source.text, span);
    const script = parse(source.text);
    this.#errors(script, source);
    const stream = this.#script(script, source, state);
    this.#uncalled(state);
    return stream;
  }

  /** Code of a word: in its place in the text where it stands there literally. */
  codeOf(field: Field, outer: Source, state: State): Stream {
    const texts = possible(field);
    if (texts === undefined) {
      return this.#undecided(
        'code-unknown',
        `the code ${field.source} is not known before it runs`,
        field.source,
        field.span,
      );
    }
    let stream = UNKNOWN;
    for (const text of texts) {
      const quoted = /^(['"])([\s\S]*)\1$/.exec(field.source);
      const literal = texts.length === 1 && (field.source === text || quoted?.[2] === text);
      const [start] = field.span;
      const here = literal && outer.span(0, 0)[0] !== undefined ? locate(field, text, start) : madeAt(text, field.span);
      stream = this.code(here, fork(state, { depth: state.depth + 1 }));
    }
    return stream;
  }

  #undecided(rule: string, message: string, command: string, span: Span): Stream {
    this.findings.report({ rule, decision: 'ask', message, command, span });
    return UNKNOWN;
  }

  #errors(script: ParsedScript, source: Source): void {
    for (const error of script.errors ?? []) {
      const span = source.span(error.pos, Math.min(source.text.length, error.pos + 1));
      this.#undecided('not-parsed', `the shell code does not parse: ${error.message}`, source.text, span);
    }
  }

  #script(script: ParsedScript, source: Source, state: State): Stream {
    const here = script.source === undefined ? source : madeAt(script.source, source.span(script.pos, script.end));
    return this.#list(script.commands, here, state);
  }

  #list(statements: readonly Statement[], source: Source, state: State): Stream {
    let all: Stream | undefined;
    for (const statement of statements) {
      const before = state.cwds;
      const { command } = statement;
      let made: Stream;
      if (statement.background) made = this.#node(command, source, fork(state));
      else {
        made = this.#node(command, source, state);
        // a `cd` that failed leaves it where it was
        if (statement !== statements.at(-1) && state.cwds !== before) state.cwds = joinPlaces(state.cwds, before);
      }
      all = all === undefined ? made : both(all, made);
    }
    return all ?? { ...NOTHING, none: false };
  }

  #compound(list: CompoundList, source: Source, state: State): Stream {
    return this.#list(list.commands, source, state);
  }

  #node(node: PipelineNode | Statement['command'] | CompoundList, source: Source, state: State): Stream {
    switch (node.type) {
      case 'Command':
        return this.#command(node, source, state);
      case 'CompoundList':
        return this.#compound(node, source, state);
      case 'AndOr': {
        const first = node.commands[0];
        let made = first ? this.#node(first, source, state) : UNKNOWN;
        for (const [i, operator] of node.operators.entries()) {
          const next = node.commands[i + 1];
          if (!next) continue;
          const other = fork(state);
          const stream = this.#node(next, source, other);
          // after `a && b` what follows may run without b
          if (operator === '&&') {
            state.cwds = other.cwds;
            joinInto(state, other);
            state.cwds = other.cwds;
          } else joinInto(state, other);
          made = both(made, stream);
        }
        return made;
      }
      case 'Pipeline':
        return this.#pipeline(node.commands, source, state);
      case 'Redirected': {
        const stdin = this.#redirects(node.redirects, source, state);
        return this.#node(node.command, source, stdin ? { ...state, stdin } : state);
      }
      case 'Subshell':
        return this.#compound(node.body, source, fork(state));
      case 'BraceGroup':
        return this.#compound(node.body, source, state);
      case 'Function': {
        const name = node.name.value;
        this.findings.note(`defines ${name}`);
        if (multiplies(node.body, name)) {
          this.findings.report({
            rule: 'fork-bomb',
            decision: 'deny',
            message: `${name} starts itself again and again, more of them each time`,
            command: source.text.slice(node.pos, node.end),
            span: source.span(node.pos, node.end),
          });
        }
        state.functions.set(name, { node, source });
        return { ...NOTHING, none: false };
      }
      case 'Coproc':
        return this.#node(node.body, source, fork(state));
      case 'If': {
        const made = [this.#compound(node.clause, source, state)];
        const before = fork(state);
        made.push(this.#compound(node.then, source, state));
        for (const branch of node.elif) {
          const other = fork(before);
          this.#compound(branch.clause, source, other);
          made.push(this.#compound(branch.then, source, other));
          joinInto(state, other);
        }
        const other = fork(before);
        if (node.else) made.push(this.#compound(node.else, source, other));
        joinInto(state, other);
        return made.reduce(both);
      }
      case 'While': {
        this.#forget([node.clause, node.body], state);
        const before = fork(state);
        const made = both(this.#compound(node.clause, source, state), this.#compound(node.body, source, state));
        joinInto(state, before);
        return made;
      }
      case 'For':
      case 'Select': {
        const context = this.#context(source, state);
        const fields = node.wordlist?.flatMap((word) => expandWord(word, context)) ?? [...(state.positional ?? [])];
        this.#forget([node.body], state);
        const texts = fields.map((field) => exact(field));
        const known =
          node.type === 'For' && fields.length > 0 && fields.length <= 64 && texts.every((text) => text !== undefined);
        if (known || fields.length === 0) {
          state.variables.set(node.name.value, known ? (texts as string[]) : 'unknown');
          const before = fork(state);
          const made = this.#compound(node.body, source, state);
          joinInto(state, before);
          return made;
        }
        return this.#eachPattern(node.name.value, fields, node.body, source, state);
      }
      case 'ArithmeticFor': {
        for (const part of [node.initialize, node.test, node.update]) this.#arithmetic(part, source, state);
        this.#forget([node.body], state);
        return this.#compound(node.body, source, state);
      }
      case 'Case': {
        expandWhole(node.word, this.#context(source, state));
        const before = fork(state);
        let made: Stream = { ...NOTHING, none: false };
        for (const item of node.items) {
          for (const word of item.pattern) visitNested(word, this.#context(source, state));
          const other = fork(before);
          made = both(made, this.#compound(item.body, source, other));
          joinInto(state, other);
        }
        return made;
      }
      case 'TestCommand':
        this.#nested(node.expression, source, state);
        return { ...NOTHING, none: false };
      case 'ArithmeticCommand':
        this.#arithmetic(node.expression, source, state);
        return { ...NOTHING, none: false };
    }
  }

  /** A loop over patterns: the variable stands for what a pattern may name, so the pattern takes its place. */
  #eachPattern(name: string, fields: readonly Field[], body: CompoundList, source: Source, state: State): Stream {
    let made: Stream = { ...NOTHING, none: false };
    for (const field of fields.slice(0, 16)) {
      const inner = fork(state);
      const text = exact(field);
      inner.variables.set(name, text === undefined ? 'unknown' : [text]);
      if (text === undefined) inner.variables.setPattern(name, field);
      made = both(made, this.#compound(body, source, inner));
      joinInto(state, inner);
    }
    state.variables.set(name, 'unknown');
    if (fields.length > 16) this.#undecided('loop-too-long', 'a loop over too many patterns', name, fields[0]!.span);
    return made;
  }

  /** Variables set anywhere in code that may run again are not known from its start. */
  #forget(lists: readonly SyntaxNode[], state: State): void {
    const visit = (node: SyntaxNode): void => {
      if (node.type === 'Assignment') state.variables.set(node.name, 'unknown');
      if (node.type === 'Command' && node.name !== undefined) {
        const name = node.name.value;
        if (/^(cd|pushd|popd)$/.test(name)) state.cwds = undefined;
        if (/^(read|mapfile|readarray|getopts|printf|declare|local|typeset|export|readonly|unset|let)$/.test(name)) {
          for (const word of node.suffix)
            if (word.type === 'Word' && /^\w+$/.test(word.value)) state.variables.set(word.value, 'unknown');
        }
      }
      if (node.type === 'For' || node.type === 'Select') state.variables.set(node.name.value, 'unknown');
      forEachChild(node, visit);
    };
    for (const list of lists) visit(list);
  }

  #pipeline(commands: readonly PipelineNode[], source: Source, state: State): Stream {
    let stdin = state.stdin;
    for (const [i, command] of commands.entries()) {
      const inner = commands.length === 1 ? { ...state, stdin } : fork(state, { stdin });
      stdin = this.#node(command, source, inner);
      if (commands.length === 1) state.cwds = inner.cwds;
      if (i < commands.length - 1) stdin = { ...stdin, none: false };
    }
    return stdin;
  }

  #context(source: Source, state: State): ExpandContext {
    return {
      source,
      variables: state.variables,
      home: this.#home,
      positional: state.positional,
      taint: (span) => this.findings.taint(span),
      substitute: (script, span) => {
        const inner = script.source === undefined ? source : madeAt(script.source, span);
        this.#errors(script, inner);
        const made = this.#list(script.commands, inner, fork(state, { stdin: UNKNOWN, depth: state.depth + 1 }));
        if (made.secret) this.findings.taint(span);
        return made.text?.replace(/\n+$/, '');
      },
    };
  }

  #nested(node: SyntaxNode, source: Source, state: State): void {
    visitNested(node, this.#context(source, state));
  }

  #arithmetic(expression: ArithmeticExpression | undefined, source: Source, state: State): void {
    if (!expression) return;
    // the whole of it may be a substitution: `(( $(command) ))`
    if (expression.type === 'ArithmeticCommandExpansion') {
      if (expression.script)
        this.#context(source, state).substitute(expression.script, source.span(expression.pos, expression.end));
    } else this.#nested(expression, source, state);
  }

  #command(node: Command, source: Source, state: State): Stream {
    const span = source.span(node.pos, node.end);
    const written = source.text.slice(node.pos, node.end);
    if (++this.#commands > MOST_COMMANDS) {
      return this.#undecided('too-many', `more than ${MOST_COMMANDS} commands`, written.slice(0, 100), span);
    }
    const context = this.#context(source, state);
    return this.findings.within(written, span, () => {
      const own = new Map<string, Field>();
      for (const each of node.prefix) {
        if (each.type !== 'Assignment') continue;
        const value = each.value.type === 'Word' ? expandWhole(each.value, context) : undefined;
        if (each.value.type === 'ArrayValue') for (const word of each.value.elements) expandWord(word, context);
        if (each.index) visitNested(each.index, context);
        const name = each.name;
        if (value && !each.append) own.set(name, value);
        else
          own.set(name, {
            pieces: [{ kind: 'hole', why: each.text, quoted: true }],
            many: false,
            span,
            source: each.text,
          });
      }
      const words: (Word | { text: string })[] = node.name ? [node.name] : [];
      const fields: Field[] = node.name ? expandWord(node.name, context) : [];
      for (const arg of node.args) {
        if (arg.type === 'Word') fields.push(...expandWord(arg, context));
        else {
          const pieces =
            arg.value.type === 'Word'
              ? expandWhole(arg.value, context).pieces
              : [{ kind: 'hole' as const, why: arg.text, quoted: true }];
          if (arg.value.type === 'ArrayValue') for (const word of arg.value.elements) expandWord(word, context);
          fields.push({
            pieces: [{ kind: 'text', text: `${arg.name}=`, quoted: true }, ...pieces],
            many: false,
            span: source.span(arg.pos, arg.end),
            source: arg.text,
          });
        }
        words.push(arg);
      }
      const stdin = this.#redirects(node.redirects, source, state) ?? state.stdin;
      if (fields.length === 0) {
        // nothing runs: what was assigned holds from here on
        for (const [name, field] of own) {
          this.#judge.assignment(name, field, state, this);
          state.variables.set(name, possible(field) ?? 'unknown');
          if (this.findings.tainted(field.span)) state.variables.secrets.add(name);
        }
        return { ...NOTHING, none: false };
      }
      return this.#judge.command({ fields, own, state, stdin, source, span, written }, this);
    });
  }

  /** Judges every redirection; what standard input becomes through them, if any of them is of it. */
  #redirects(redirects: readonly Redirection[], source: Source, state: State): Stream | undefined {
    let stdin: Stream | undefined;
    const context = this.#context(source, state);
    for (const each of redirects) {
      const span = source.span(each.pos, each.end);
      if (each.type === 'HereString') {
        const field = each.target && expandWhole(each.target, context);
        const text = field && exact(field);
        stdin = {
          network: false,
          secret: this.findings.tainted(span),
          ...(text === undefined ? {} : { text: `${text}\n` }),
        };
      } else if (each.type === 'HereDoc') {
        const { body, delimiter } = each;
        const field = body.parts && !delimiter?.quoted ? expandParts(body.parts, span, body.text, context) : undefined;
        const text = field ? exact(field) : body.text;
        stdin = { network: false, secret: false, ...(text === undefined ? {} : { text }) };
      } else {
        const { operator, target } = each;
        if (!target) {
          this.#undecided(
            'redirect-unknown',
            'a redirection without a target',
            source.text.slice(each.pos, each.end),
            span,
          );
          continue;
        }
        const field = expandWhole(target, context);
        const text = exact(field);
        if (operator === '<&' || (operator === '>&' && text !== undefined && /^(\d+-?|-)$/.test(text))) continue;
        const how = operator === '<' ? 'read' : 'write';
        const read = this.#judge.redirect({ how, target: field }, state, this);
        if (
          how === 'read' &&
          (each.descriptor === undefined || (each.descriptor.type === 'FileDescriptor' && each.descriptor.value === 0))
        ) {
          stdin = read;
        }
      }
    }
    return stdin;
  }

  /** Runs a function's body with what it is called with. Undefined: it is not one, or calls itself. */
  call(name: string, args: readonly Field[], state: State, stdin: Stream): Stream | undefined {
    const definition = state.functions.get(name);
    if (!definition) return undefined;
    this.#called.add(definition.node);
    if (state.calls.includes(definition.node)) return UNKNOWN;
    const inner: State = { ...state, positional: args, calls: [...state.calls, definition.node], stdin };
    const made = this.#node(definition.node.body, definition.source, inner);
    state.cwds = inner.cwds;
    return made;
  }

  /** What is defined and never called here may be called by what is not seen. */
  #uncalled(state: State): void {
    for (const { node, source } of state.functions.values()) {
      if (this.#called.has(node)) continue;
      this.#called.add(node);
      this.#node(
        node.body,
        source,
        fork(state, { positional: undefined, calls: [...state.calls, node], stdin: UNKNOWN }),
      );
    }
  }
}

/** The body starts `name` in the background or in a pipe: each of them starts more. */
function multiplies(body: SyntaxNode, name: string): boolean {
  let found = false;
  const visit = (node: SyntaxNode, apart: boolean): void => {
    if (node.type === 'Command' && node.name?.value === name && apart) found = true;
    const inner =
      apart ||
      (node.type === 'Statement' && node.background === true) ||
      (node.type === 'Pipeline' && node.commands.length > 1);
    forEachChild(node, (child) => visit(child, inner));
  };
  visit(body, false);
  return found;
}

function both(a: Stream, b: Stream): Stream {
  const text = a.text !== undefined && b.text !== undefined ? a.text + b.text : undefined;
  return { network: a.network || b.network, secret: a.secret || b.secret, ...(text === undefined ? {} : { text }) };
}

/** The place of quoted code in the text asked about, if each of its characters stands for itself there. */
function locate(field: Field, text: string, start: number): Source {
  const inside = field.source === text ? 0 : 1;
  const whole: Source = { text: '', span: (from, to) => [from, to] };
  const width = field.span[1] - field.span[0];
  return width === field.source.length ? partOf(whole, text, start + inside) : madeAt(text, field.span);
}
