// capabilities: what this server and this machine can do, found out and not assumed.
import { platform } from 'node:os';
import process from 'node:process';
import { z } from 'zod';
import { toUri } from '../../lib/path.ts';
import { findProgram } from '../../lib/program.ts';
import { run } from '../../lib/run.ts';
import { act, type Ctx } from '../../local.ts';

/** Milliseconds a program has to name its version. */
const PROBE_LIMIT = 4_000;

/** Runtime -> the commands that may be it, first found wins. */
const RUNTIMES: readonly (readonly [name: string, commands: readonly (readonly string[])[]])[] = [
  ['node', [['node', '--version']]],
  [
    'python',
    [
      ['python3', '--version'],
      ['python', '--version'],
    ],
  ],
  ['rust', [['rustc', '--version']]],
  ['go', [['go', 'version']]],
  ['bun', [['bun', '--version']]],
  ['deno', [['deno', '--version']]],
  ['uv', [['uv', '--version']]],
  ['docker', [['docker', '--version']]],
];

/** The version a program names on its first line, or null where it is missing, fails or does not answer in time. */
async function probe(ctx: Ctx, commands: readonly (readonly string[])[]): Promise<string | null> {
  const argv = commands.find(([name]) => findProgram(name as string) !== undefined);
  if (!argv) return null;
  try {
    const result = await run(argv, {
      cwd: ctx.env.config.cwd,
      timeoutMs: PROBE_LIMIT,
      maxBytes: 4096,
      signal: ctx.signal,
    });
    if (result.code !== 0) return null;
    return /\d+(\.\d+)+[\w.+-]*/.exec(result.stdout.toString('utf8') || result.stderr.toString('utf8'))?.[0] ?? null;
  } catch (error) {
    if (ctx.signal.aborted) throw error;
    return null;
  }
}

export const capabilities = act({
  summary: 'served tools, runtimes and their versions, search engine, access level and roots',
  effect: 'read',
  input: z.object({}),
  async run(ctx) {
    const [vcs, ...versions] = await Promise.all([
      probe(ctx, [['git', '--version']]),
      ...RUNTIMES.map(([, commands]) => probe(ctx, commands)),
    ]);
    return {
      data: {
        // how `fs search_text` and `code search_symbol` find files: by a trigram index, or by reading the tree each time
        search: ctx.env.indexes.indexed ? 'trigram' : 'scan',
        vcs: vcs === null ? null : 'git',
        ...(vcs === null ? {} : { git: vcs }),
        runtimes: Object.fromEntries(RUNTIMES.map(([name], i) => [name, versions[i] ?? null])),
        tools: ctx.env.surface.listed(),
        access: ctx.env.access.level,
        roots: ctx.env.access.roots().map(toUri),
        platform: platform(),
        arch: process.arch,
      },
    };
  },
});
