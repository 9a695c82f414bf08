// Numbers to text: medians, units, and one aligned table.

/** One measured thing: its bar, and a cell for every server. */
export interface Row {
  readonly measure: string;
  readonly bar: string;
  readonly cells: Readonly<Record<string, string>>;
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

export function percentile(numbers: readonly number[], fraction: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN;
}

export const ms = (value: number): string => (value < 10 ? `${value.toFixed(1)} ms` : `${Math.round(value)} ms`);
export const mb = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(bytes < 10 * 1024 * 1024 ? 1 : 0)} MB`;
export const kb = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`;
export const ratio = (value: number, to: number): string => `${(value / to).toFixed(2)} x`;

/** A Markdown table, columns padded so that it reads in a terminal as well. */
export function render(rows: readonly Row[], columns: readonly string[]): string {
  const table = [
    ['measure', 'bar', ...columns],
    ...rows.map(({ measure, bar, cells }) => [measure, bar, ...columns.map((column) => cells[column] ?? '-')]),
  ];
  const widths = (table[0] as string[]).map((_, i) => Math.max(...table.map((line) => (line[i] as string).length)));
  const write = (line: readonly string[]): string =>
    `| ${line.map((cell, i) => cell.padEnd(widths[i] as number)).join(' | ')} |`;
  const [head, ...rest] = table as [string[], ...string[][]];
  return [write(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rest.map(write)].join('\n');
}
