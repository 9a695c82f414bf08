// merge, rebase, cherry_pick: bringing commits together; each can stop at conflicts, go on, and be called off.
import { ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { act, type Ctx } from '../../local.ts';
import { headNow } from './branch.ts';
import { stage } from './commit.ts';
import { conflictError, stopped } from './conflict.ts';
import { parseFiles } from './diff.ts';
import { revision, text } from './names.ts';
import { allInTree, checkRange, files, flag, lookUp, need, ref, repository, resolve } from './params.ts';
import { openTree, type Repo } from './repo.ts';
import { type GitOptions, LONG_LIMIT } from './run.ts';
import { operation, readStatus } from './status.ts';

type Tree = Repo & { readonly top: string };

const WRITE: GitOptions = { mode: 'write', timeoutMs: LONG_LIMIT };

/** Runs a command that moves HEAD; conflicts become CONFLICT with their paths, success says what moved. */
export async function moving(repo: Tree, name: string, args: readonly string[]): Promise<Record<string, unknown>> {
  const before = await lookUp(repo, 'HEAD');
  try {
    await repo.gitAtTop(args, WRITE);
  } catch (error) {
    if (!(error instanceof ToolError) || error.code === 'TIMEOUT') throw error;
    const status = await readStatus(repo);
    if (status.conflicts.length === 0 && /is now empty|nothing to commit/.test(error.message)) {
      throw new ToolError(
        'CONFLICT',
        `${name} stopped: the commit changes nothing here; go on with sub_action skip, or abort`,
        error.details,
      );
    }
    throw stopped(name, status, error);
  }
  // git merge and rebase can end with success and a stash that did not apply cleanly.
  const { conflicts } = await readStatus(repo);
  if (conflicts.length > 0) throw conflictError(name, conflicts);
  return moved(repo, before);
}

async function moved(repo: Tree, before: string | undefined): Promise<Record<string, unknown>> {
  const head = await headNow(repo);
  const after = head['hash'];
  if (before === undefined || typeof after !== 'string' || before === after) {
    return { ...head, up_to_date: before === after };
  }
  const { text: output } = await repo.gitAtTop([
    'diff',
    '--raw',
    '--numstat',
    '-z',
    '--no-abbrev',
    '--no-ext-diff',
    '--find-renames',
    before,
    after,
    '--',
  ]);
  const list = parseFiles(output);
  return { ...head, from: before, up_to_date: false, files: list.slice(0, 100), files_changed: list.length };
}

const STEPS = ['start', 'continue', 'skip', 'abort'] as const;
const step = { sub_action: z.enum(STEPS).optional(), files, all: flag };

interface Step {
  readonly sub_action?: (typeof STEPS)[number] | undefined;
  readonly files?: readonly string[] | undefined;
  readonly all?: boolean | undefined;
}

/** continue, skip and abort, which the three share; undefined for a start. */
async function goOn(
  ctx: Ctx,
  repo: Tree,
  name: string,
  verb: string,
  input: Step,
): Promise<Record<string, unknown> | undefined> {
  const op = input.sub_action ?? 'start';
  const pending = await operation(repo);
  if (op === 'start') {
    if (pending !== null && pending !== 'bisect') {
      throw new ToolError(
        'CONFLICT',
        `a ${pending} is in progress; finish it with ${pending} sub_action continue, or call it off with abort`,
        {
          operation: pending,
        },
      );
    }
    return undefined;
  }
  if (pending !== name) {
    throw new ToolError('CONFLICT', `no ${name} is in progress${pending ? `, but a ${pending} is` : ''}`, {
      operation: pending,
    });
  }
  if (op === 'abort' || op === 'skip') {
    if (op === 'skip' && name === 'merge')
      throw new ToolError('INVALID_PARAMS', 'a merge is one step; use abort', { param: 'sub_action' });
    const done = await moving(repo, name, [verb, `--${op}`]);
    return op === 'abort' ? { ...(await headNow(repo)), aborted: true } : done;
  }
  if (input.files) await stage(repo, await allInTree(ctx, repo, input.files));
  else if (input.all) await repo.gitAtTop(['add', '--update'], WRITE);
  const { conflicts } = await readStatus(repo);
  if (conflicts.length > 0) throw conflictError(name, conflicts);
  return moving(repo, name, [verb, '--continue']);
}

export const merge = act({
  summary: 'merges target into the current branch; sub_action continue (files: those resolved) or abort',
  effect: 'write',
  destructive: false,
  input: z.object({ ...repository, target: revision.optional(), message: text.optional(), ...step }),
  async run(ctx, input) {
    const repo = await openTree(ctx, input.path, 'write');
    const going = await goOn(ctx, repo, 'merge', 'merge', input);
    if (going) return { data: going };
    const target = need(input.target, 'target', 'merge');
    await resolve(repo, target, 'target');
    const message = input.message === undefined ? [] : ['-m', input.message];
    return {
      data: await moving(repo, 'merge', ['merge', '--no-edit', '--quiet', ...message, '--end-of-options', target]),
    };
  },
});

export const rebase = act({
  summary: 'puts the current branch on top of target; sub_action continue (files: those resolved), skip or abort',
  effect: 'write',
  input: z.object({ ...repository, target: revision.optional(), ...step }),
  async run(ctx, input) {
    const repo = await openTree(ctx, input.path, 'write');
    const going = await goOn(ctx, repo, 'rebase', 'rebase', input);
    if (going) return { data: going };
    const target = need(input.target, 'target', 'rebase');
    await resolve(repo, target, 'target');
    return { data: await moving(repo, 'rebase', ['rebase', '--quiet', '--end-of-options', target]) };
  },
});

export const cherryPick = act({
  summary:
    'applies the commit cherry (or ref, or a range a..b) here; sub_action continue (files: those resolved), skip or abort',
  effect: 'write',
  destructive: false,
  input: z.object({ ...repository, cherry: revision.optional(), ref, ...step }),
  async run(ctx, input) {
    const repo = await openTree(ctx, input.path, 'write');
    const going = await goOn(ctx, repo, 'cherry_pick', 'cherry-pick', input);
    if (going) return { data: going };
    const given = need(input.cherry ?? input.ref, 'cherry', 'cherry_pick');
    const range = await checkRange(repo, given, input.cherry === undefined ? 'ref' : 'cherry');
    return { data: await moving(repo, 'cherry_pick', ['cherry-pick', '--end-of-options', range]) };
  },
});
