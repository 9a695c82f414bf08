// Answers as people read them: rows as a table, the rest as names and values. Programs ask for --json.

type Row = Readonly<Record<string, unknown>>;

/** Text of an answer, ending in a line end. `width` is the terminal's; without one nothing is shortened. */
export function rendered(answer: unknown, width?: number): string {
  if (answer === undefined) return 'done\n';
  if (!isRow(answer)) return `${textOf(answer)}\n`;
  // identity's operations put their answers into an envelope
  if (answer['status'] === 'ok' && isRow(answer['data'])) return rendered(answer['data'], width);
  const members = Object.entries(answer);
  const rows = members.filter(([, value]) => isRows(value));
  const plain = members.filter(([, value]) => !isRows(value));
  const [only] = rows;
  if (only !== undefined && rows.length === 1) {
    const rest = plain.filter(([, value]) => !Array.isArray(value) || value.length > 0);
    return `${tableOf(only[0], only[1] as readonly Row[], width)}${rest.length === 0 ? '' : `\n${pairsOf(rest)}`}`;
  }
  const empty = plain.filter(([, value]) => Array.isArray(value) && value.length === 0);
  if (rows.length === 0 && members.length > 0 && empty.length === 1 && plain.every(([, value]) => !isRow(value))) {
    const [name] = empty[0] as [string, unknown];
    const rest = plain.filter(([each]) => each !== name);
    return `no ${name}\n${rest.length === 0 ? '' : `\n${pairsOf(rest)}`}`;
  }
  return [
    pairsOf(plain),
    ...rows.map(([name, value]) => `\n${name}\n${tableOf(name, value as readonly Row[], width)}`),
  ].join('');
}

/** What a tool answered: its text where it is text, else JSON. */
export function renderedResult(result: unknown): string {
  if (typeof result === 'string') return `${cleaned(result)}\n`;
  if (isRow(result) && Array.isArray(result['content'])) {
    const blocks = (result['content'] as readonly unknown[]).map((block) => {
      if (!isRow(block)) return JSON.stringify(block);
      if (typeof block['text'] === 'string') return cleaned(block['text']);
      return `[${cleaned(String(block['type']))}${typeof block['mimeType'] === 'string' ? ` ${cleaned(block['mimeType'])}` : ''}]`;
    });
    return `${blocks.join('\n')}\n`;
  }
  return `${JSON.stringify(result, undefined, 2) ?? ''}\n`;
}

/**
 * Without control characters (but line ends and tabs) and marks that turn the direction of text: descriptions come from
 * anybody's server, and a terminal obeys what it is shown.
 */
export function cleaned(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/g, '');
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isRows(value: unknown): value is readonly Row[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRow);
}

function pairsOf(members: readonly (readonly [string, unknown])[]): string {
  const widest = Math.max(0, ...members.map(([name]) => name.length));
  return members.map(([name, value]) => `${name.padEnd(widest)}  ${textOf(value, name)}\n`).join('');
}

function tableOf(name: string, rows: readonly Row[], width?: number): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((each) =>
    rows.some((row) => !isRow(row[each]) && !isRows(row[each]) && row[each] !== undefined),
  );
  if (columns.length === 0) return `${rows.length} ${name}\n`;
  const cells = [columns, ...rows.map((row) => columns.map((each) => textOf(row[each], each).replaceAll(/\s+/g, ' ')))];
  const widths = fitted(
    columns.map((_, at) => Math.max(...cells.map((line) => lengthOf(line[at] ?? '')))),
    width,
  );
  return cells
    .map(
      (line) =>
        `${line
          .map((cell, at) => padded(cell, widths[at] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** Widths that fit together: the widest columns give way first, none below 8. */
function fitted(widths: readonly number[], width: number | undefined): readonly number[] {
  if (width === undefined) return widths;
  const next = [...widths];
  const total = (): number => next.reduce((sum, each) => sum + each + 2, -2);
  while (total() > width) {
    const widest = next.indexOf(Math.max(...next));
    const others = Math.max(8, ...next.filter((_, at) => at !== widest));
    const smaller = Math.max(others - 1, (next[widest] ?? 0) - (total() - width), 8);
    if (smaller >= (next[widest] ?? 0)) break;
    next[widest] = smaller;
  }
  return next;
}

function padded(text: string, width: number): string {
  const letters = [...text];
  if (letters.length > width) return `${letters.slice(0, width - 1).join('')}…`;
  return text + ' '.repeat(width - letters.length);
}

const lengthOf = (text: string): number => [...text].length;

/** One value as text; `name` tells times from numbers. */
function textOf(value: unknown, name = ''): string {
  if (value === undefined || value === null || value === '') return '-';
  if (typeof value === 'number' && /(?:At|Time|synced|^time)$/.test(name)) {
    return value > 0 ? `${new Date(value * 1000).toISOString().slice(0, 19)}Z` : '-';
  }
  if (typeof value === 'string') return cleaned(value);
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
    return value.length === 0 ? '-' : cleaned(value.join(', '));
  return typeof value === 'object' ? cleaned(JSON.stringify(value)) : String(value);
}
