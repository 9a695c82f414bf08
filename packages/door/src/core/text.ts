// JSON text of lists, made once for as long as a host gives the same array.

const texts = new WeakMap<readonly unknown[], string>();

export function listText(items: readonly unknown[]): string {
  let text = texts.get(items);
  if (text === undefined) {
    text = JSON.stringify(items);
    texts.set(items, text);
  }
  return text;
}
