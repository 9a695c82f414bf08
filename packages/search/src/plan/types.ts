// Which documents can match at all, as a condition over grams.

/**
 * A gram is three bytes, packed `a << 16 | b << 8 | c`; a pair is two bytes, packed `a << 8 | b`, and stands for every gram
 * that starts with it. `\n` occurs only as a gram's first or last byte; both ends of a document count as one.
 */
export type GramQuery =
  /** every document */
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  | { readonly kind: 'gram'; readonly gram: number }
  | { readonly kind: 'pair'; readonly pair: number }
  | { readonly kind: 'and'; readonly parts: readonly GramQuery[] }
  | { readonly kind: 'or'; readonly parts: readonly GramQuery[] };

export interface Plan {
  readonly query: GramQuery;
  /** only documents with a byte above 127 can match */
  readonly nonAscii: boolean;
  /** documents that hold U+212A or U+017F are candidates whatever the grams say (case is ignored) */
  readonly plusFolding: boolean;
  /** a match may cross the end of a document's block: conditions hold for the file, not for a block */
  readonly perFile: boolean;
}
