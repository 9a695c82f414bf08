// On which line of a JSON text each value stands: for messages about what a file says.

/** The line, from 1, of each value by its path as JSON (`["rules",0,"match"]`). The text must be valid JSON. */
export function linesOf(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  let at = 0;
  let line = 1;
  const blank = (): void => {
    for (; /[\s,:]/.test(text[at] ?? ''); at++) if (text[at] === '\n') line++;
  };
  const string = (): string => {
    const begin = at++;
    while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    return JSON.parse(text.slice(begin, ++at)) as string;
  };
  const value = (path: readonly (string | number)[]): void => {
    blank();
    lines.set(JSON.stringify(path), line);
    const open = text[at];
    if (open === '"') return void string();
    if (open !== '{' && open !== '[') {
      while (at < text.length && !/[\s,\]}]/.test(text[at]!)) at++;
      return;
    }
    at++;
    for (let i = 0; ; i++) {
      blank();
      if (text[at] === '}' || text[at] === ']') break;
      value([...path, open === '{' ? string() : i]);
    }
    at++;
  };
  value([]);
  return lines;
}
