// summarize: what a diff, a log, a source or a prose text says, by rules; no model is asked.
import type { ActionResult } from '@hanzo/tool';
import { shorten, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { declarationsOf, languageOf, Lines, type Parsed } from '../../lib/syntax/index.ts';
import { act } from '../../local.ts';
import { language, text, uri } from './params.ts';
import { about, parsing, sourceOf } from './source.ts';
import { isTold, modulesOf } from './symbols.ts';

/** Longest text that is looked at, in UTF-16 units. */
const LONGEST = 16 * 1024 * 1024;
const SHOWN = 10;
/** Characters looked at of one line. */
const LINE = 2000;

export const summarize = act({
  summary: 'a diff, log, source or other text in a few lines, by rules',
  effect: 'read',
  input: z.strictObject({ uri, text, language }),
  async run(ctx, input): Promise<ActionResult> {
    if (input.text === undefined || input.language !== undefined) {
      const source = await sourceOf(ctx, input);
      return parsing(ctx, source, (parsed) => ({
        data: {
          kind: 'source',
          summary: sourceSummary(parsed),
          ...about(source, parsed),
          words: wordsOf(source.text),
          ...modulesOf(parsed),
        },
      }));
    }
    if (input.text.length > LONGEST) {
      throw new ToolError('INVALID_PARAMS', `'text' has ${input.text.length} characters; up to ${LONGEST} are read`, {
        param: 'text',
      });
    }
    const lines = new Lines(input.text);
    const told = isDiff(input.text) ? diffSummary(lines) : (logSummary(lines) ?? proseSummary(lines));
    return { data: { ...told, lines: lines.count, words: wordsOf(input.text) } };
  },
});

interface Told {
  readonly kind: string;
  readonly summary: string;
  readonly [more: string]: unknown;
}

const isDiff = (all: string): boolean => /^(?:diff --git |--- [^\n]*\n\+\+\+ )/m.test(all.slice(0, 65_536));

/** Files of a diff with the lines each gains and loses, and what in it deserves a look. */
function diffSummary(lines: Lines): Told {
  const files: { name: string; added: number; removed: number; gone: boolean }[] = [];
  const risks = new Set<string>();
  let hunk = false;
  for (let row = 1; row <= lines.count; row++) {
    const line = lines.text(row, LINE);
    const current = files.at(-1);
    if (line.startsWith('diff --git ') || (line.startsWith('--- ') && (!current || hunk) && isHeader(lines, row))) {
      files.push({ name: nameIn(line), added: 0, removed: 0, gone: false });
      hunk = false;
    } else if (!current) continue;
    else if (line.startsWith('@@')) hunk = true;
    else if (!hunk && line.startsWith('+++ ')) {
      current.gone = line.startsWith('+++ /dev/null');
      if (!current.gone) current.name = nameIn(line);
    } else if (hunk && line.startsWith('+')) {
      current.added++;
      if (/\b(?:TODO|FIXME|XXX)\b/.test(line)) risks.add(`${current.name}: leaves a TODO`);
      if (/\b(?:\.only|fdescribe|fit)\(|\bdebugger\b/.test(line))
        risks.add(`${current.name}: a test or debugger left switched on`);
      if (/\b(?:password|secret|api_?key|token)\b\s*[:=]\s*['"][^'"]{8,}/i.test(line))
        risks.add(`${current.name}: may hold a secret`);
    } else if (hunk && line.startsWith('-')) current.removed++;
    if (line.startsWith('<<<<<<< ') || line.startsWith('+<<<<<<< ')) risks.add('conflict markers');
  }
  for (const { name, gone, removed, added } of files) {
    if (gone) risks.add(`${name}: deleted`);
    if (removed > 200 && removed > 4 * added) risks.add(`${name}: ${removed} lines removed`);
    if (/migrat|schema/i.test(name)) risks.add(`${name}: a migration or schema`);
  }
  const [added, removed] = [sum(files.map((each) => each.added)), sum(files.map((each) => each.removed))];
  const code = files.filter(({ name }) => languageOf(name) !== undefined && !isTest(name));
  const next =
    code.length > 0 && !files.some(({ name }) => isTest(name))
      ? ['no test changes with the code; run or add some']
      : [];
  const largest = files.toSorted((a, b) => b.added + b.removed - (a.added + a.removed)).slice(0, SHOWN);
  return {
    kind: 'diff',
    summary: `${files.length} files, +${added} -${removed}: ${list(
      largest.map((each) => `${each.name} +${each.added} -${each.removed}`),
      files.length,
    )}`,
    files: files.length,
    added,
    removed,
    risks: [...risks].slice(0, 20),
    next_actions: next,
  };
}

const isHeader = (lines: Lines, row: number): boolean => lines.text(row + 1, 10).startsWith('+++ ');
const isTest = (name: string): boolean => /(?:^|[/._-])(?:tests?|specs?)(?:[/._-]|$)/i.test(name);

/** The path a header line names: the second one of `diff --git a/x b/x`. */
function nameIn(line: string): string {
  const bare = line.replace(/^(?:diff --git|---|\+\+\+) /, '').replace(/\t.*$/, '');
  const second = line.startsWith('diff ') ? bare.slice(bare.lastIndexOf(' b/') + 1) : bare;
  return shorten(second.replace(/^[ab]\//, ''), 200);
}

const FAILURE =
  /\b(?:error|errors|failed|failure|fatal|panic|exception|traceback|assert(?:ion)?error)\b|^\s*(?:✗|✖|×|not ok)\s|\bFAIL\b/i;
const WARNING = /\bwarn(?:ing)?s?\b/i;
/** Lines that count none of what they name. */
const NONE = /\b(?:0|no) (?:errors?|failed|failures?|warnings?|problems?)\b/i;

/** Failures and warnings of a log, where there are any or most lines carry a time. */
function logSummary(lines: Lines): Told | undefined {
  const first = new Map<string, number>();
  let [failures, warnings, timed] = [0, 0, 0];
  let result = '';
  for (let row = 1; row <= lines.count; row++) {
    const line = lines.text(row, LINE);
    if (/\d\d:\d\d(?::\d\d)?/.test(line)) timed++;
    if (/\b\d+ (?:passed|failed|passing|failing|skipped|tests?)\b/i.test(line)) result = line.trim();
    if (FAILURE.test(line) && !NONE.test(line)) {
      failures++;
      const like = line.replaceAll(/\d+/g, '#').trim();
      if (!first.has(like) && first.size < SHOWN) first.set(like, row);
    } else if (WARNING.test(line) && !NONE.test(line)) warnings++;
  }
  const isLog = timed * 2 > lines.count || result !== '' || (failures + warnings) * 10 > lines.count;
  if (!isLog || lines.count < 3) return undefined;
  const shown = [...first.values()].map((row) => ({ line: row, text: shorten(lines.text(row, LINE).trim(), 200) }));
  const last = lines.text(lines.count, LINE).trim();
  return {
    kind: 'log',
    summary: `${failures} lines tell of failures, ${warnings} of warnings${result ? `; ${shorten(result, 200)}` : ''}${shown[0] ? `; first: ${shown[0].text}` : ''}`,
    failures,
    warnings,
    first: shown,
    last: shorten(last, 200),
    next_actions: shown[0] ? [`look at line ${shown[0].line} first`] : [],
  };
}

/** Headings of a text, else how it begins. */
function proseSummary(lines: Lines): Told {
  const headings: string[] = [];
  let start = '';
  for (let row = 1; row <= lines.count; row++) {
    const line = lines.text(row, LINE).trim();
    if (/^#{1,6} /.test(line) && headings.length < 20) headings.push(line);
    else if (start === '' && /[\p{L}\p{N}]/u.test(line)) start = line;
  }
  const opening = shorten(/^.*?[.!?](?=\s|$)/.exec(start)?.[0] ?? start, 300);
  return {
    kind: 'text',
    summary: [
      opening,
      headings.length > 0 ? `sections: ${headings.map((each) => each.replace(/^#+ /, '')).join('; ')}` : '',
    ]
      .filter(Boolean)
      .join(' '),
  };
}

/** A source's first comment, and what it declares. */
function sourceSummary(parsed: Parsed): string {
  const told = declarationsOf(parsed).filter((each) => isTold(each) && each.depth === 0);
  const kinds = new Map<string, string[]>();
  for (const { kind, name } of told) kinds.set(kind, [...(kinds.get(kind) ?? []), name].slice(0, 1000));
  const parts = [...kinds].map(
    ([kind, names]) => `${names.length} ${kind}: ${list(names.slice(0, SHOWN), names.length)}`,
  );
  const [, opening = ''] = /^(?:#![^\n]*\n)?\s*(?:\/\/+|#+|\/\*+|"""|'''|--)\s*([^\n]{0,300})/.exec(parsed.text) ?? [];
  return [opening.replace(/\s*(?:\*\/|"""|''')\s*$/, ''), ...parts].filter(Boolean).join('; ');
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);
const list = (names: readonly string[], of: number): string =>
  names.join(', ') + (of > names.length ? ` and ${of - names.length} more` : '');

/** Runs of characters between blanks. */
function wordsOf(all: string): number {
  let count = 0;
  let inside = false;
  for (let i = 0; i < all.length; i++) {
    const unit = all.charCodeAt(i);
    const blank = unit === 32 || (unit >= 9 && unit <= 13) || unit === 0xa0 || unit === 0x3000;
    if (!blank && !inside) count++;
    inside = !blank;
  }
  return count;
}
