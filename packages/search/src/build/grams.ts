// The grams of a text, plainly: what the kernel must find, said in a few lines. For checks and tests; slow.

/** Distinct grams, in no order: three bytes of the text between two newlines, a newline only first or last. */
export function gramsOf(text: Uint8Array): Set<number> {
  const grams = new Set<number>();
  let a = 10;
  let b = 10;
  for (let i = 0; i <= text.length; i++) {
    const c = text[i] ?? 10;
    if (b !== 10 && (a !== 10 || c !== 10)) grams.add((a << 16) | (b << 8) | c);
    a = b;
    b = c;
  }
  return grams;
}
