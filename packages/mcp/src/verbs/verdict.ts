// `hanzo-mcp verdict 'COMMAND'`: what the classifier says of a command, why, and what it understood. Runs nothing.
import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { Explanation, Node, Reason } from '@hanzo/verdict';
import { readFlags, UsageError, type Values } from '../flags.ts';
import { createAccess } from '../lib/access.ts';
import { explainCommand } from '../lib/verdict.ts';
import { defaultConfig } from '../config.ts';

/** Exit codes: what shells and scripts branch on. 64 is EX_USAGE (sysexits.h), which no decision can be taken for. */
const EXIT = { allow: 0, ask: 1, deny: 2, usage: 64 } as const;
/** Characters of a line of the command, left and right of what is marked. */
const AROUND = 60;

const USAGE = "hanzo-mcp verdict 'COMMAND' [--cwd DIR] [--root DIR ...] [--json]";

/** Prints the verdict; returns the exit code. */
export function verdictVerb(argv: readonly string[]): number {
  try {
    const { values, positionals } = readFlags(argv, {
      cwd: { type: 'string' },
      root: { type: 'string', multiple: true },
      json: { type: 'boolean' },
    });
    const [command, ...more] = positionals;
    if (command === undefined) throw new UsageError(`which command? ${USAGE}`);
    if (more.length > 0) throw new UsageError(`the command is one word for this shell, in quotes: ${USAGE}`);
    const explanation = look(command, values);
    process.stdout.write(
      values['json'] === true ? `${JSON.stringify(explanation, null, 2)}\n` : render(command, explanation),
    );
    return EXIT[explanation.decision];
  } catch (error) {
    if (!(error instanceof Error) || !/^(UsageError|OwnRulesError)$/.test(error.name)) throw error;
    process.stderr.write(`hanzo-mcp: ${error.message}\n`);
    return EXIT.usage;
  }
}

function look(command: string, values: Values): Explanation {
  const cwd = directory((values['cwd'] as string | undefined) ?? process.cwd(), '--cwd');
  const named = ((values['root'] ?? []) as string[]).map((each) => directory(each, '--root'));
  // The rules and the home are those of a server that is started here.
  const { dataDir } = defaultConfig();
  const access = createAccess({ level: 'workspace-write', cwd: named[0] ?? cwd, roots: named, allowSecrets: [] });
  return explainCommand({ access, dataDir }, { command, cwd, roots: access.roots() });
}

function directory(given: string, flag: string): string {
  const full = path.resolve(given);
  if (!statSync(full, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${flag}: ${full} is no directory`);
  return realpathSync(full);
}

/** The verdict for a terminal: the decision, each reason with its place in the command, the tree. */
function render(command: string, { decision, reasons, tree }: Explanation): string {
  const blocks = [
    decision,
    ...reasons.map((each) => `${each.decision}: ${each.message} (${each.rule})\n${mark(command, each)}`),
  ];
  const lines = tree.flatMap((each) => branch(each, ''));
  return `${[...blocks, ...(lines.length > 0 ? [lines.join('\n')] : [])].join('\n\n')}\n`;
}

/** The line of the command that a reason is about, and `^^^^` under the part. */
function mark(command: string, { span: [start, end] }: Reason): string {
  const first = command.lastIndexOf('\n', start - 1) + 1;
  const stop = command.indexOf('\n', start);
  const last = stop < 0 ? command.length : stop;
  const from = Math.max(first, start - AROUND);
  const to = Math.min(last, Math.max(Math.min(end, last), start + 1) + AROUND);
  const before = `${from > first ? '...' : ''}${plain(command.slice(from, start))}`;
  const marked = plain(command.slice(start, Math.min(end, last)));
  const after = `${plain(command.slice(Math.min(end, last), to))}${to < last ? '...' : ''}`;
  return `  ${before}${marked}${after}\n  ${' '.repeat(width(before))}${'^'.repeat(Math.max(1, width(marked)))}`;
}

function branch({ command, decision, notes, children }: Node, indent: string): string[] {
  const own = [`${indent}${decision.padEnd(5)} ${plain(command.replaceAll('\n', '\\n'))}`];
  // what was found is among the reasons already
  const said = notes
    .filter((each) => !/^(allow|ask|deny): /.test(each))
    .map((each) => `${indent}      - ${plain(each)}`);
  return [...own, ...said, ...children.flatMap((each) => branch(each, `${indent}  `))];
}

/** Without control characters, which a terminal would obey: each is shown as one other character. */
function plain(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (each) => (each === '\t' ? ' ' : '\u{FFFD}'));
}

/** Columns of a text, by characters: wide ones count twice. */
function width(text: string): number {
  let columns = 0;
  for (const each of text)
    columns += /\p{Mn}/u.test(each)
      ? 0
      : /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\u{1F300}-\u{1FAFF}]/u.test(
            each,
          )
        ? 2
        : 1;
  return columns;
}
