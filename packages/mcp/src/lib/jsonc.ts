// JSON as people write it: with comments and a comma after the last entry.

/**
 * Parses JSON that may hold `//` and block comments and trailing commas (tsconfig.json, deno.jsonc, bun.lock). Throws a
 * SyntaxError for anything else that is not JSON. Linear in the text.
 */
export function parseJsonc(text: string): unknown {
  return JSON.parse(withoutCommas(withoutComments(text.replace(/^\ufeff/, ''))));
}

/** A string, a comment, or a run of what is neither. */
const PIECE = /"(?:[^"\\]|\\.)*"?|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|[^"/]+|\//gs;

function withoutComments(text: string): string {
  return text.replaceAll(PIECE, (piece) => (piece.startsWith('//') || piece.startsWith('/*') ? ' ' : piece));
}

function withoutCommas(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|,(?=\s*[\]}])/gs, (piece) => (piece === ',' ? '' : piece));
}
