// Verdicts beside the list of words a peer stops commands by, and beside access rules alone: `npm run bench -- verdict`.
// Counts over the corpora of packages/verdict; times a classification, and a command in the sandbox beside one without.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { classify, type Decision } from '@hanzo/verdict';
import type { Case } from '../packages/verdict/corpus/case.ts';
import { evasions } from '../packages/verdict/corpus/evasions.ts';
import { innocents } from '../packages/verdict/corpus/innocents.ts';
import { createAccess } from '../packages/mcp/src/lib/access.ts';
import { findProgram } from '../packages/mcp/src/lib/program.ts';
import { createSandbox } from '../packages/mcp/src/lib/sandbox/index.ts';
import { median, ms, percentile, ratio, type Row } from './lib/table.ts';

const [OURS, WORDS, ACCESS] = ['hanzo verdict', 'list of first words', '--access alone'];
export const COLUMNS: readonly string[] = [OURS, WORDS, ACCESS];

/** Rounds over the corpora for the times, and commands for the sandbox. */
const ROUNDS = 5;
const COMMANDS = 40;

/** The commands Desktop Commander 0.2.52 blocks by default: its own list, compared with the first word of each simple command. */
// prettier-ignore
const BLOCKED: ReadonlySet<string> = new Set([
  'mkfs', 'format', 'mount', 'umount', 'fdisk', 'dd', 'parted', 'diskpart', 'sudo', 'su', 'passwd', 'adduser', 'useradd',
  'usermod', 'groupadd', 'chsh', 'visudo', 'shutdown', 'reboot', 'halt', 'poweroff', 'init', 'iptables', 'firewall',
  'netsh', 'sfc', 'bcdedit', 'reg', 'net', 'sc', 'runas', 'cipher', 'takeown',
]);

export async function bench(): Promise<Row[]> {
  const harmful = evasions.filter((each) => each.expected === 'deny');
  const unclear = evasions.filter((each) => each.expected !== 'allow');
  return [
    {
      measure: 'commands that destroy, refused',
      bar: 'all',
      cells: {
        [OURS]: stopped(harmful, ours('deny')),
        [WORDS]: stopped(harmful, byWords),
        [ACCESS]: stopped(harmful, byAccess),
      },
    },
    {
      measure: 'commands of the corpus that are not simply run',
      bar: 'all',
      cells: {
        [OURS]: stopped(unclear, ours('ask', 'deny')),
        [WORDS]: stopped(unclear, byWords),
        [ACCESS]: stopped(unclear, byAccess),
      },
    },
    {
      measure: 'innocents asked about',
      bar: '<= 2 %',
      cells: { [OURS]: stopped(innocents, ours('ask')), [WORDS]: '-', [ACCESS]: '-' },
    },
    {
      measure: 'innocents refused',
      bar: '0',
      cells: {
        [OURS]: stopped(innocents, ours('deny')),
        [WORDS]: stopped(innocents, byWords),
        [ACCESS]: stopped(innocents, byAccess),
      },
    },
    { measure: 'a classification, median / p95', bar: 'p95 <= 5 ms', cells: { [OURS]: times() } },
    { measure: 'exec of true in the sandbox, as a ratio', bar: '', cells: { [OURS]: await overhead() } },
  ];
}

function stopped(cases: readonly Case[], stops: (each: Case) => boolean): string {
  return `${cases.filter(stops).length} of ${cases.length}`;
}

function ours(...decisions: readonly Decision[]): (each: Case) => boolean {
  return (each) => decisions.includes(judge(each));
}

function judge({ command, cwd = '/home/dev/project', files = {} }: Case): Decision {
  const read = (file: string): string | undefined => (Object.hasOwn(files, file) ? files[file] : undefined);
  return classify({ command, cwd, roots: ['/home/dev/project'], machine: { home: '/home/dev', read } }).decision;
}

/** As such lists are used: the line is cut at operators, the first word of each part is compared. */
function byWords({ command }: Case): boolean {
  const parts = command.split(/[;&|\n]+|\$\(|`/);
  return parts.some((part) => {
    const [word = ''] = part
      .trim()
      .split(/\s+/)
      .filter((each) => !/^\w+=/.test(each));
    return BLOCKED.has(word.split('/').at(-1) ?? '');
  });
}

/** Access rules are about the paths of file tools; no command is looked at. */
function byAccess(): boolean {
  return false;
}

function times(): string {
  const all = [...evasions, ...innocents];
  for (const each of all) judge(each);
  const taken: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const each of all) {
      const begun = performance.now();
      judge(each);
      taken.push(performance.now() - begun);
    }
  }
  return `${median(taken).toFixed(2)} ms / ${percentile(taken, 0.95).toFixed(2)} ms`;
}

/** The time from start to end of a command that does nothing, confined and not, taken in turns. */
async function overhead(): Promise<string> {
  if (findProgram('bwrap') === undefined) return 'no bubblewrap here';
  const cwd = process.cwd();
  const access = createAccess({ level: 'workspace-write', cwd, roots: [], allowSecrets: [] });
  const { name, wrap } = await createSandbox({ mode: 'on', access }).confine(cwd);
  if (wrap === undefined) return name;
  const plain = ['bash', '-c', '--', 'true'];
  const confined = await wrap(plain);
  const taken: [number[], number[]] = [[], []];
  for (let i = 0; i < COMMANDS; i++) {
    for (const [which, [program = '', ...args]] of [plain, confined].entries()) {
      const begun = performance.now();
      spawnSync(program, args, { cwd, stdio: 'ignore' });
      taken[which]!.push(performance.now() - begun);
    }
  }
  const [without, within] = [median(taken[0]), median(taken[1])];
  return `${ratio(within, without)} (${ms(within)} to ${ms(without)})`;
}
