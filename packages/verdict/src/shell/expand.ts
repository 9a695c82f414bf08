// From words as written to the fields a program gets: quotes, variables, braces, tildes, patterns, substitutions.
import {
  forEachChild,
  type ParameterExpansionPart,
  parse,
  type ParsedScript,
  type SyntaxNode,
  type Word,
  type WordPart,
} from 'unbash';
import { braceTexts } from './braces.ts';
import type { Variables } from './env.ts';
import type { Source } from './source.ts';
import type { Field, Piece, Span } from './value.ts';

export interface ExpandContext {
  readonly source: Source;
  readonly variables: Variables;
  /** where `~` leads */
  readonly home: string | undefined;
  /** judges the code of a substitution; what it prints, without trailing line ends, if that is known */
  substitute(script: ParsedScript, span: Span): string | undefined;
  /** key material comes into the word at this place */
  taint(span: Span): void;
  /** `$1` and so on, `$@`; undefined if not known */
  readonly positional: readonly Field[] | undefined;
}

/** The fields a word becomes: none, one or several. */
export function expandWord(word: Word, context: ExpandContext): Field[] {
  const span = context.source.span(word.pos, word.end);
  const variants = alternatives(word, context);
  return variants.flatMap((pieces) => split(pieces, span, word.text));
}

/** A word where it is not split: the value of an assignment, a redirection's target, text of a here-document. */
export function expandWhole(word: Word, context: ExpandContext): Field {
  const span = context.source.span(word.pos, word.end);
  const [first, ...more] = alternatives(word, context, true);
  const pieces = more.length === 0 ? (first ?? []) : [hole(word.text, false)];
  return {
    pieces: pieces.map((piece) => ('list' in piece ? hole(piece.why, true) : plain(piece))),
    many: false,
    span,
    source: word.text,
  };
}

export function expandParts(parts: readonly WordPart[], span: Span, source: string, context: ExpandContext): Field {
  const pieces = parts.flatMap((part) => piecesOf(part, context, true));
  return {
    pieces: pieces.map((piece) => ('list' in piece ? hole(piece.why, true) : plain(piece))),
    many: false,
    span,
    source,
  };
}

/** A piece before splitting: text from an unquoted expansion is still to be split, a list is several fields. */
type Raw = Piece | (Piece & { readonly split: true }) | { readonly list: readonly Field[]; readonly why: string };

function plain(piece: Exclude<Raw, { list: readonly Field[] }>): Piece {
  return 'split' in piece ? { ...piece } : piece;
}

function hole(why: string, quoted: boolean): Piece {
  return { kind: 'hole', why, quoted };
}

/** Pieces of each of the words that braces make of one. */
function alternatives(word: Word, context: ExpandContext, whole = false): Raw[][] {
  const parts = word.parts;
  if (!parts || parts.length === 0) return [literal(word.value, word.text, true, context)];
  let all: Raw[][] = [[]];
  for (const [i, part] of parts.entries()) {
    let next: Raw[][];
    if (part.type === 'BraceExpansion' && !whole) {
      const texts = braceTexts(part.text);
      visitNested(part, context);
      next = texts ? texts.map((text) => [...globs(text)]) : [[hole(part.text, false)]];
    } else if (part.type === 'Literal') next = [literal(part.value, part.text, i === 0, context)];
    else next = [piecesOf(part, context, false)];
    if (all.length * next.length > 64) return [[hole(word.text, false)]];
    all = all.flatMap((head) => next.map((tail) => [...head, ...tail]));
  }
  return all;
}

function literal(value: string, text: string, first: boolean, context: ExpandContext): Raw[] {
  if (!first || !text.startsWith('~')) return value === '' ? [] : [{ kind: 'text', text: value, quoted: true }];
  const cut = value.indexOf('/');
  const name = cut < 0 ? value : value.slice(0, cut);
  const rest = cut < 0 ? '' : value.slice(cut);
  const home = tilde(name, context);
  const head: Piece = home === undefined ? hole(name, true) : { kind: 'text', text: home, quoted: true };
  return rest === '' ? [head] : [head, { kind: 'text', text: rest, quoted: true }];
}

function tilde(name: string, { home, variables }: ExpandContext): string | undefined {
  if (name === '~') {
    const set = variables.has('HOME') ? variables.get('HOME') : undefined;
    return set === undefined ? home : set !== 'unknown' && set.length === 1 ? set[0] : undefined;
  }
  if (name === '~root') return '/root';
  return undefined;
}

function piecesOf(part: WordPart, context: ExpandContext, quoted: boolean): Raw[] {
  const named =
    part.type === 'ParameterExpansion' ? part.parameter : part.type === 'SimpleExpansion' ? part.text.slice(1) : '';
  if (context.variables.secrets.has(named)) context.taint(context.source.span(part.pos, part.end));
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [{ kind: 'text', text: part.value, quoted: true }];
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.length === 0
        ? [{ kind: 'text', text: '', quoted: true }]
        : part.parts.flatMap((each) => piecesOf(each, context, true));
    case 'SimpleExpansion':
      return variable(part.text.slice(1).replaceAll(/[{}]/g, ''), part.text, context, quoted);
    case 'ParameterExpansion':
      return parameter(part, context, quoted);
    case 'CommandExpansion': {
      if (!part.script) return [hole(part.text, quoted)];
      const output = context.substitute(part.script, context.source.span(part.pos, part.end));
      return output === undefined ? [hole(part.text, quoted)] : expanded(output, quoted);
    }
    case 'ArithmeticExpansion':
      visitNested(part, context);
      // a number: no slash, no blank, no program's name
      return [{ kind: 'text', text: '0', quoted: true }];
    case 'ProcessSubstitution':
      if (part.script) context.substitute(part.script, context.source.span(part.pos, part.end));
      return [{ kind: 'text', text: '/dev/fd/63', quoted: true }];
    case 'Glob':
    case 'ExtendedGlob':
      visitNested(part, context);
      return [quoted ? { kind: 'text', text: part.text, quoted: true } : { kind: 'glob', text: part.text }];
    case 'BraceExpansion':
      visitNested(part, context);
      return [hole(part.text, quoted)];
  }
}

function expanded(text: string, quoted: boolean): Raw[] {
  return [quoted ? { kind: 'text', text, quoted: true } : { kind: 'text', text, quoted: false, split: true }];
}

function variable(name: string, source: string, context: ExpandContext, quoted: boolean): Raw[] {
  if (/^[@*]$/.test(name))
    return context.positional ? [{ list: context.positional, why: source }] : [hole(source, quoted)];
  if (/^\d+$/.test(name) && name !== '0') {
    const field = context.positional?.[Number(name) - 1];
    if (context.positional && !field) return [];
    return field ? [...field.pieces] : [hole(source, quoted)];
  }
  // status, process numbers, counts
  if (/^[?$!#-]$/.test(name)) return [{ kind: 'text', text: '0', quoted: true }];
  const known = context.variables.get(name);
  if (known === 'unknown') {
    // a pattern names files: not options, and nothing above where it starts
    const pattern = context.variables.pattern(name);
    return pattern ? [...pattern.pieces] : [hole(source, quoted)];
  }
  if (known.length === 1) return expanded(known[0] as string, quoted);
  if (!quoted && known.some((text) => /[\s*?[]/.test(text))) return [hole(source, quoted)];
  return [{ kind: 'choice', texts: known }];
}

function parameter(part: ParameterExpansionPart, context: ExpandContext, quoted: boolean): Raw[] {
  replaced(part, context);
  visitNested(part, context);
  const { operation, parameter: name, prefix, index, text } = part;
  if (prefix === '#') return [{ kind: 'text', text: '0', quoted: true }];
  if (prefix !== undefined || index !== undefined) return [hole(text, quoted)];
  if (operation === undefined) return variable(name, text, context, quoted);
  if (operation.type === 'Remove') {
    // `${f%.txt}` of a file that a pattern names is a file in the same place
    const pattern = context.variables.get(name) === 'unknown' ? context.variables.pattern(name) : undefined;
    if (pattern && operation.operator.startsWith('%') && /^\.[\w.-]+$/.test(operation.operand.text))
      return [...pattern.pieces];
    return [hole(text, quoted)];
  }
  if (operation.type !== 'Default') return [hole(text, quoted)];
  const known = /^\w+$/.test(name) && context.variables.has(name) ? context.variables.get(name) : 'unknown';
  if (known === 'unknown') return [hole(text, quoted)];
  const empty = known.length === 1 && known[0] === '';
  const operand = (): Raw[] => [...expandWhole(operation.operand, context).pieces];
  switch (operation.operator) {
    case ':-':
    case ':=':
    case ':?':
      return empty ? operand() : variable(name, text, context, quoted);
    case '-':
    case '=':
    case '?':
      return variable(name, text, context, quoted);
    case ':+':
      return empty ? [] : operand();
    case '+':
      return operand();
  }
}

/** The parser ends the pattern of `${x/$(a /)/b}` at the slash within the substitution: what follows is looked at as a whole, too. */
function replaced(part: ParameterExpansionPart, context: ExpandContext): void {
  if (part.operation?.type !== 'Replace') return;
  const rest = part.text.slice(part.operation.operatorEnd - part.pos, -1);
  if (!/[$<>]\(|`/.test(rest)) return;
  const text = `: ${rest}`;
  context.substitute({ ...parse(text), source: text }, context.source.span(part.pos, part.end));
}

/** Judges whatever is run inside a part that is not evaluated itself. */
export function visitNested(node: SyntaxNode, context: ExpandContext): void {
  const visit = (child: SyntaxNode): void => {
    if (
      child.type === 'CommandExpansion' ||
      child.type === 'ProcessSubstitution' ||
      child.type === 'ArithmeticCommandExpansion'
    ) {
      if (child.script) context.substitute(child.script, context.source.span(child.pos, child.end));
      return;
    }
    if (child.type === 'ParameterExpansion') replaced(child, context);
    forEachChild(child, visit);
  };
  forEachChild(node, visit);
}

/** Splits what came out of unquoted expansions at blanks, and makes lists into fields. */
function split(pieces: readonly Raw[], span: Span, source: string): Field[] {
  const fields: Field[] = [];
  let current: Piece[] = [];
  let many = false;
  let started = false;
  const end = (): void => {
    if (started) fields.push({ pieces: current, many, span, source });
    current = [];
    many = false;
    started = false;
  };
  for (const piece of pieces) {
    if ('list' in piece) {
      for (const [i, field] of piece.list.entries()) {
        if (i > 0) end();
        current.push(...field.pieces);
        started = true;
      }
    } else if ('split' in piece && piece.kind === 'text') {
      for (const [i, word] of piece.text.split(/[ \t\n]+/).entries()) {
        if (i > 0) end();
        if (word === '') continue;
        current.push(...globs(word));
        started = true;
      }
    } else {
      current.push(plain(piece));
      started = true;
      if (piece.kind === 'glob' || (piece.kind === 'hole' && !piece.quoted)) many = true;
    }
  }
  // a word of nothing but an empty expansion is no field
  end();
  return fields;
}

/** Text in which unquoted pattern characters name files. */
function globs(text: string): Piece[] {
  return text
    .split(/([*?]|\[[^\]]*\])/)
    .filter((each) => each !== '')
    .map((each) =>
      /^[*?[]/.test(each) && each !== '[' ? { kind: 'glob', text: each } : { kind: 'text', text: each, quoted: false },
    );
}
