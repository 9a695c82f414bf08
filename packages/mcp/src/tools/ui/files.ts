// The files of an installation: where each goes, what is there already, the patch that shows them, and their writing.
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { ToolError, utf8Length } from '@hanzo/tool';
import { within } from '../../lib/path.ts';
import { lockKeys, locked } from '../../lib/edits/disk/lock.ts';
import { Changed } from '../../lib/edits/disk/replace.ts';
import { type Snapshot, snapshot } from '../../lib/edits/disk/snapshot.ts';
import { commit } from '../../lib/edits/patch/commit.ts';
import type { Step } from '../../lib/edits/patch/plan.ts';
import type { Ctx } from '../../local.ts';
import type { Project } from './project/project.ts';
import { targetOf, withImports } from './project/target.ts';
import type { WholeItem } from './registry/registry.ts';

/** A file that is to be. `before` is what is there now. */
export interface Planned {
  readonly file: string;
  /** to the project's root, for people */
  readonly relative: string;
  readonly item: string;
  readonly bytes: Buffer;
  readonly status: 'new' | 'exists' | 'same';
  readonly before: Snapshot | undefined;
}

/** Places and compares every file; rejects for the first that may not be written. Nothing is written. */
export async function plannedFiles(
  ctx: Ctx,
  items: readonly WholeItem[],
  project: Project,
  apply: boolean,
): Promise<readonly Planned[]> {
  const planned = new Map<string, Planned>();
  for (const item of items) {
    for (const each of item.files) {
      const file = targetOf(item.name, each, project);
      const bytes = Buffer.from(withImports(each.content, project));
      const other = planned.get(file);
      if (other && !other.bytes.equals(bytes)) {
        throw new ToolError(
          'CONFLICT',
          `nothing was written: items '${other.item}' and '${item.name}' both want to write ${file}, each something else`,
          { path: file },
        );
      }
      if (!other) planned.set(file, await look(ctx, file, bytes, item.name, project, apply));
    }
  }
  return [...planned.values()];
}

async function look(
  ctx: Ctx,
  file: string,
  bytes: Buffer,
  item: string,
  project: Project,
  apply: boolean,
): Promise<Planned> {
  const plan = { file, relative: path.relative(project.root, file), item, bytes };
  // A server that may only read shows a preview all the same.
  const real =
    apply || ctx.env.access.level !== 'read-only'
      ? await ctx.env.access.write(file, 'keep')
      : path.join(await ctx.env.access.read(path.dirname(file)), path.basename(file));
  if (real !== file || !within(real, project.root)) {
    throw refused(file, item, 'a symbolic link lies on the way there');
  }
  const there = await lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    if (error.code === 'ENOTDIR') throw refused(file, item, 'a file lies where one of its folders would be');
    throw error;
  });
  if (!there) return { ...plan, status: 'new', before: undefined };
  if (!there.isFile()) throw refused(file, item, there.isSymbolicLink() ? 'it is a symbolic link' : 'it is no file');
  const before = await snapshot(file);
  return { ...plan, status: before.bytes.equals(bytes) ? 'same' : 'exists', before };
}

function refused(file: string, item: string, why: string): ToolError {
  return new ToolError('PERMISSION_DENIED', `nothing was written: '${item}' cannot be put at ${file}: ${why}`, {
    path: file,
    component: item,
  });
}

/** Files as sections of a patch as `fs patch` reads it, as many whole ones as `room` bytes hold; the others are named after them. */
export function patchOf(files: readonly Planned[], room: number): string {
  const shown: string[] = [];
  const left: string[] = [];
  // Room for the names of those that do not fit.
  let free = room - 1000;
  for (const each of files) {
    const section = sectionOf(each);
    const size = utf8Length(section);
    if (size > free) left.push(each.relative);
    else shown.push(section);
    free -= size > free ? 0 : size;
  }
  const rest = `${left.length} more not shown for their size (get_component shows them): ${left.slice(0, 8).join(', ')}${left.length > 8 ? ', …' : ''}\n`;
  if (shown.length === 0) return left.length > 0 ? rest : '';
  return `*** Begin Patch\n${shown.join('')}*** End Patch\n${left.length > 0 ? rest : ''}`;
}

function sectionOf({ file, bytes, before }: Planned): string {
  const after = linesOf(bytes);
  if (!before) return `*** Add File: ${file}\n${after.map((line) => `+${line}\n`).join('')}`;
  const old = linesOf(before.bytes);
  let head = 0;
  while (head < old.length && head < after.length && old[head] === after[head]) head++;
  let tail = 0;
  while (tail < Math.min(old.length, after.length) - head && old.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return [
    `*** Update File: ${file}\n@@\n`,
    kept(old.slice(Math.max(0, head - 3), head)),
    ...old.slice(head, old.length - tail).map((line) => `-${line}\n`),
    ...after.slice(head, after.length - tail).map((line) => `+${line}\n`),
    kept(old.slice(old.length - tail, old.length - tail + 3)),
  ].join('');
}

const kept = (lines: readonly string[]): string => lines.map((line) => ` ${line}\n`).join('');

function linesOf(bytes: Buffer): string[] {
  const lines = bytes.toString('utf8').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Writes them all, or rejects and leaves everything as it was. */
export async function write(files: readonly Planned[]): Promise<void> {
  const steps = files.map(({ file, bytes, before }): Step =>
    before ? { kind: 'replace', file, before, bytes } : { kind: 'create', file, bytes, mode: 0o666 },
  );
  try {
    await locked(lockKeys(files.map(({ file }) => file)), () => commit(steps));
  } catch (error) {
    if (!(error instanceof Changed)) throw error;
    throw new ToolError(
      'CONFLICT',
      'nothing was written: a file was changed by somebody else meanwhile; call again',
      {},
    );
  }
}
