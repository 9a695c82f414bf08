// What a shell word stands for as far as it is known: text, patterns, choices and holes.

export type Span = readonly [start: number, end: number];

export type Piece =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  /** an unquoted pattern that names files */
  | { readonly kind: 'glob'; readonly text: string }
  /** one of some texts */
  | { readonly kind: 'choice'; readonly texts: readonly string[] }
  /** nothing is known; `why` names it, such as `$x` or `$(date)` */
  | { readonly kind: 'hole'; readonly why: string; readonly quoted: boolean };

/** One argument. `many`: it may turn out to be none or several. */
export interface Field {
  readonly pieces: readonly Piece[];
  readonly many: boolean;
  readonly span: Span;
  /** as written */
  readonly source: string;
}

/** Most combinations of choices that are looked at one by one. */
const COMBINATIONS = 64;

export function textField(text: string, span: Span, source = text): Field {
  return { pieces: [{ kind: 'text', text, quoted: true }], many: false, span, source };
}

/** The text, if it is exactly known. */
export function exact(field: Field | undefined): string | undefined {
  const all = field === undefined ? undefined : possible(field);
  return all?.length === 1 ? all[0] : undefined;
}

/** Every text it may be, if they can be counted; patterns and holes cannot. */
export function possible(field: Field): readonly string[] | undefined {
  let all = [''];
  for (const piece of field.pieces) {
    if (piece.kind === 'glob' || piece.kind === 'hole') return undefined;
    const next = piece.kind === 'text' ? [piece.text] : piece.texts;
    if (all.length * next.length > COMBINATIONS) return undefined;
    all = all.flatMap((head) => next.map((tail) => head + tail));
  }
  return all;
}

/** The text before the first thing that is not known; every choice of it. */
export function heads(field: Field): readonly string[] {
  let all = [''];
  for (const piece of field.pieces) {
    if (piece.kind === 'glob' || piece.kind === 'hole') break;
    const next = piece.kind === 'text' ? [piece.text] : piece.texts;
    if (all.length * next.length > COMBINATIONS) break;
    all = all.flatMap((head) => next.map((tail) => head + tail));
  }
  return all;
}

export function hasHole(field: Field): boolean {
  return field.pieces.some((piece) => piece.kind === 'hole');
}

export function hasGlob(field: Field): boolean {
  return field.pieces.some((piece) => piece.kind === 'glob');
}

/** It may begin with a dash, and so be taken for an option. A pattern that names files is not counted. */
export function mayBeOption(field: Field): boolean {
  const [first] = field.pieces;
  if (first === undefined) return false;
  if (first.kind === 'hole') return true;
  return heads(field).some((head) => head.startsWith('-'));
}

/** The field without its first `characters`, for values attached to an option. */
export function after(field: Field, characters: number): Field {
  let skip = characters;
  const pieces: Piece[] = [];
  for (const piece of field.pieces) {
    if (skip === 0 || piece.kind === 'glob' || piece.kind === 'hole') {
      pieces.push(piece);
      skip = 0;
    } else if (piece.kind === 'text') {
      const text = piece.text.slice(skip);
      skip = Math.max(0, skip - piece.text.length);
      if (text !== '') pieces.push({ ...piece, text });
    } else {
      const short = Math.min(...piece.texts.map((text) => text.length));
      pieces.push({ kind: 'choice', texts: piece.texts.map((text) => text.slice(skip)) });
      skip = Math.max(0, skip - short);
    }
  }
  return { ...field, pieces };
}
