// The file CURRENT: which generation counts. One line of the number, the sum of its manifest, and a sum of the two.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checksum } from './checksum.ts';
import { codeOf, replaceFile } from './files.ts';

export interface CurrentLine {
  readonly number: number;
  readonly sum: number;
}

const sumOf = (text: string): string => checksum(new TextEncoder().encode(text)).toString(16);

/** What CURRENT says, or why it says nothing. */
export function readCurrent(folder: string): CurrentLine | string {
  let text: string;
  try {
    text = readFileSync(join(folder, 'CURRENT'), 'latin1');
  } catch (error) {
    return codeOf(error) === 'ENOENT'
      ? 'there is no index yet'
      : `CURRENT cannot be read (${codeOf(error) ?? String(error)})`;
  }
  const [, said, number, sum, check] = /^((\d{1,15}) ([0-9a-f]{1,8})) ([0-9a-f]{1,8})\n$/.exec(text) ?? [];
  if (said === undefined || sumOf(said) !== check) return 'CURRENT is damaged';
  return { number: Number(number), sum: Number.parseInt(sum ?? '', 16) };
}

export function writeCurrent(folder: string, { number, sum }: CurrentLine): void {
  const said = `${number} ${sum.toString(16)}`;
  replaceFile(join(folder, 'CURRENT'), [new TextEncoder().encode(`${said} ${sumOf(said)}\n`)]);
}

export const manifestName = (number: number): string => `gen-${number}.bin`;

/** The number in a manifest's name. */
export function numberOf(name: string): number | undefined {
  const digits = /^gen-(\d{1,15})\.bin$/.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
