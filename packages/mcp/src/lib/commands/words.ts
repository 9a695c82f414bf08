// Shell words without a shell: quoting an argv so that it can be shown or run, and taking a quoted line apart.
import { ToolError } from '@hanzo/tool';

/** One word for a POSIX shell: as it is where that is safe, else in single quotes. */
function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** An argv as one command line. */
export function joinWords(argv: readonly string[]): string {
  return argv.map(quote).join(' ');
}

/**
 * The words of a line as a POSIX shell splits it: blanks separate, single and double quotes and backslashes protect. Nothing is
 * expanded: `$`, `*`, `~` and operators stand for themselves. INVALID_PARAMS where a quote is not closed.
 */
export function splitWords(line: string, param: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (let i = 0; i < line.length; i++) {
    const char = line[i]!;
    if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (char === "'" || char === '"') {
      const [text, next] = quoted(line, i, param);
      word = (word ?? '') + text;
      i = next;
    } else if (char === '\\') {
      if (i + 1 >= line.length) throw unclosed(param, 'a backslash ends the line', i);
      word = (word ?? '') + line[++i]!;
    } else word = (word ?? '') + char;
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** The text of the quotation that opens at `start`, and the place of its closing quote. */
function quoted(line: string, start: number, param: string): [text: string, end: number] {
  const mark = line[start]!;
  let text = '';
  for (let i = start + 1; i < line.length; i++) {
    const char = line[i]!;
    if (char === mark) return [text, i];
    // In double quotes a backslash protects these only (POSIX shell 2.2.3).
    if (mark === '"' && char === '\\' && /["\\$`]/.test(line[i + 1] ?? '')) text += line[++i]!;
    else text += char;
  }
  throw unclosed(param, `the quote ${mark} is not closed`, start);
}

function unclosed(param: string, what: string, at: number): ToolError {
  return new ToolError(
    'INVALID_PARAMS',
    `'${param}': ${what} (at character ${at + 1}); give an array of strings instead`,
    {
      param,
    },
  );
}
