// The steps of a plan carried out: all of them, or none.
import { lstat, rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { explain, makeDirectories } from '../disk/failure.ts';
import { asideName } from '../../leftovers.ts';
import { moveExclusive } from '../disk/move.ts';
import { Changed, replaceContent } from '../disk/replace.ts';
import { sameState, snapshot } from '../disk/snapshot.ts';
import { create, removeEmpty } from '../disk/create.ts';
import type { Step } from './plan.ts';

type Undo = () => Promise<void>;

/** Carries out the steps in order; if one fails, takes back those before it and rejects with its reason. */
export async function commit(steps: readonly Step[]): Promise<void> {
  const undo: Undo[] = [];
  const finish: Undo[] = [];
  try {
    for (const step of steps) await run(step, undo, finish);
  } catch (error) {
    for (const back of undo.toReversed()) await back().catch(() => undefined);
    throw error;
  }
  for (const last of finish) await last();
}

async function run(step: Step, undo: Undo[], finish: Undo[]): Promise<void> {
  switch (step.kind) {
    case 'create': {
      const made = await create(step.file, step.bytes, step.mode);
      undo.push(async () => {
        await unlink(step.file);
        if (made !== undefined) await removeEmpty(path.dirname(step.file), made);
      });
      return;
    }
    case 'replace':
      await replaceContent(step.before, step.bytes);
      undo.push(() => restore(step.file, step.before.bytes));
      return;
    case 'move':
      return move(step, undo);
    case 'delete': {
      // Out of sight first: what is only renamed can come back.
      const aside = asideName(path.dirname(step.file));
      await rename(step.file, aside).catch(async (error: unknown) => Promise.reject(await explain(error, step.file)));
      undo.push(() => rename(aside, step.file));
      finish.push(() => unlink(aside));
    }
  }
}

async function move(step: Step & { kind: 'move' }, undo: Undo[]): Promise<void> {
  const parent = path.dirname(step.to);
  const what = await lstat(step.file);
  if (!sameState(step.before.stat, await lstat(step.file, { bigint: true }))) throw new Changed();
  const made = await makeDirectories(parent);
  undo.push(async () => {
    if (made !== undefined) await removeEmpty(parent, made);
  });
  await moveExclusive(step.file, step.to, what);
  undo.push(() => rename(step.to, step.file));
  if (step.bytes.equals(step.before.bytes)) return;
  await replaceContent(await snapshot(step.to), step.bytes);
  undo.push(() => restore(step.to, step.before.bytes));
}

async function restore(file: string, bytes: Buffer): Promise<void> {
  await replaceContent(await snapshot(file), bytes);
}
