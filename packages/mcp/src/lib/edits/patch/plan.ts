// A patch worked out before anything is written: every change on what the changes before it leave.
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { ToolError } from '@hanzo/tool';
import { toUri } from '../../path.ts';
import type { EditContext } from '../context.ts';
import { missing } from '../disk/failure.ts';
import { hashOf } from '../disk/hash.ts';
import { type Snapshot, snapshot } from '../disk/snapshot.ts';
import { asText, encodeFor } from '../edit.ts';
import { editable, entry } from '../target.ts';
import { applyHunks } from './apply.ts';
import type { Change } from './change.ts';
import { Misplaced } from './place.ts';

/** What a change comes to, as the answer lists it. */
export interface Result {
  readonly op: 'add' | 'update' | 'delete' | 'move';
  readonly path: string;
  readonly success: boolean;
  readonly to?: string;
  readonly hash?: string;
  readonly hunks_applied?: number;
  /** strategies of hunks that did not match exactly */
  readonly strategy?: string;
  readonly changed?: boolean;
  readonly message?: string;
  readonly error?: string;
  readonly code?: string;
}

/** A step that changes the disk. */
export type Step =
  | { readonly kind: 'create'; readonly file: string; bytes: Buffer; readonly mode: number }
  | { readonly kind: 'replace'; readonly file: string; readonly before: Snapshot; bytes: Buffer }
  | { readonly kind: 'move'; readonly file: string; readonly to: string; readonly before: Snapshot; bytes: Buffer }
  | { readonly kind: 'delete'; readonly file: string };

/** A change with the real paths it touches, or why it may not touch them. */
export interface Target {
  readonly change: Change;
  readonly file: string;
  readonly to: string | undefined;
  readonly refused: ToolError | undefined;
}

/** Resolves the paths of every change and asks for access; nothing is read. */
export async function resolveTargets(ctx: EditContext, changes: readonly Change[]): Promise<Target[]> {
  const made = new Set<string>();
  const targets: Target[] = [];
  for (const change of changes) {
    try {
      const to =
        change.op === 'update' && change.to !== undefined ? await entry(ctx, absolute(ctx, change.to)) : undefined;
      const file = await locate(ctx, change, made);
      made.add(to ?? file);
      targets.push({ change, file, to, refused: undefined });
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      targets.push({ change, file: absolute(ctx, change.path), to: undefined, refused: error });
    }
  }
  return targets;
}

async function locate(ctx: EditContext, change: Change, made: ReadonlySet<string>): Promise<string> {
  const kept = await entry(ctx, absolute(ctx, change.path));
  if (change.op === 'add' || made.has(kept)) return kept;
  const find = change.op === 'delete' ? entry : editable;
  if (change.otherwise !== undefined && !(await lstat(kept).catch(() => undefined))) {
    const other = absolute(ctx, change.otherwise);
    if (await lstat(other).catch(() => undefined)) return find(ctx, other);
  }
  return find(ctx, kept);
}

/** Paths in a patch may be relative to the working directory; access decides where they may lead. */
function absolute(ctx: EditContext, given: string): string {
  if (path.isAbsolute(given) || /^(file:|~($|\/))/i.test(given) || given.includes('\0')) return given;
  return path.resolve(ctx.env.config.cwd, given);
}

export interface Plan {
  readonly steps: readonly Step[];
  readonly results: readonly Result[];
  /** the first refusal, if any */
  readonly failed: ToolError | undefined;
}

/** Works out all changes. Rejects with nothing but what is unexpected: refusals are in the plan. */
export async function makePlan(ctx: EditContext, targets: readonly Target[]): Promise<Plan> {
  const planner = new Planner(ctx);
  const results: Result[] = [];
  let failed: ToolError | undefined;
  for (const target of targets) {
    ctx.signal.throwIfAborted();
    try {
      if (target.refused) throw target.refused;
      results.push(await planner.change(target));
    } catch (error) {
      const refusal =
        error instanceof Misplaced ? new ToolError('CONFLICT', `${target.file}: ${error.message}`, {}) : error;
      if (!(refusal instanceof ToolError)) throw refusal;
      failed ??= refusal;
      results.push({
        op: target.change.op,
        path: target.change.path,
        success: false,
        error: refusal.message,
        code: refusal.code,
      });
    }
  }
  return { steps: planner.steps(), results, failed };
}

interface Held {
  readonly bytes: Buffer;
  readonly step?: Exclude<Step, { kind: 'delete' }>;
  readonly before?: Snapshot;
}

/** What a path holds in the course of the patch: a step that puts bytes there, or nothing any more. */
class Planner {
  /** files with several names, by what they share; the first name and whether it goes */
  readonly #names = new Map<string, { file: string; goes: boolean }>();
  readonly #state = new Map<string, Step | 'gone'>();
  readonly #steps: Step[] = [];
  readonly #ctx: EditContext;

  constructor(ctx: EditContext) {
    this.#ctx = ctx;
  }

  steps(): Step[] {
    return this.#steps.filter((step) => step.kind !== 'replace' || !step.bytes.equals(step.before.bytes));
  }

  async change({ change, file, to }: Target): Promise<Result> {
    if (change.op !== 'add') await this.#oneName(file, change.op === 'delete');
    const named = { path: change.path, success: true } as const;
    if (change.op === 'add') {
      const content = change.lines.join('\n') + (change.lines.length > 0 && !change.open ? '\n' : '');
      const bytes = encodeFor(content, 'utf-8', file, 'input');
      await this.#free(file);
      this.#put({ kind: 'create', file, bytes, mode: change.executable ? 0o777 : 0o666 });
      return { op: 'add', ...named, hash: hashOf(bytes) };
    }
    if (change.op === 'delete') return { op: 'delete', ...named, ...(await this.#delete(change, file)) };
    const held = await this.#held(file);
    const changed = change.base !== undefined && change.base !== hashOf(held.bytes);
    const applied = applyHunks(asText(held.bytes), change.hunks, file);
    if (changed && applied.lenient.length > 0) throw stale(file, change.base!, hashOf(held.bytes));
    const about = {
      hash: hashOf(applied.bytes),
      hunks_applied: change.hunks.length,
      ...(applied.lenient.length > 0 ? { strategy: applied.lenient.join(', ') } : {}),
      ...(changed ? { changed } : {}),
    };
    if (to === undefined || to === file) {
      this.#rewrite(held, file, applied.bytes);
      return { op: 'update', ...named, ...about };
    }
    await this.#free(to);
    if (held.step)
      throw new ToolError('INVALID_PARAMS', `${file} is changed and moved in one patch twice; say it once`, {
        uri: toUri(file),
      });
    this.#state.set(file, 'gone');
    this.#put({ kind: 'move', file, to, before: held.before!, bytes: applied.bytes }, to);
    return { op: 'move', ...named, to: change.to!, ...about };
  }

  /** Two names of one file cannot both be written from what it was before the patch. */
  async #oneName(file: string, goes: boolean): Promise<void> {
    const what = this.#state.has(file) ? undefined : await lstat(file, { bigint: true }).catch(() => undefined);
    if (!what?.isFile() || what.nlink < 2n) return;
    const key = `${what.dev}:${what.ino}`;
    const first = this.#names.get(key);
    if (!first) this.#names.set(key, { file, goes });
    else if (first.file !== file && !(first.goes && goes)) {
      throw new ToolError('INVALID_PARAMS', `${first.file} and ${file} are one file (hard links); change it once`, {
        uri: toUri(file),
      });
    }
  }

  async #delete(change: Change & { op: 'delete' }, file: string): Promise<{ message?: string }> {
    const state = this.#state.get(file);
    if (state !== undefined && state !== 'gone') {
      throw new ToolError('INVALID_PARAMS', `${file} is changed and deleted in one patch; say one of them`, {
        uri: toUri(file),
      });
    }
    const what = state === 'gone' ? undefined : await lstat(file).catch(() => undefined);
    if (!what) return { message: 'was not there' };
    if (what.isDirectory())
      throw new ToolError('INVALID_PARAMS', `${file} is a directory; rm deletes those`, { uri: toUri(file) });
    if (what.isFile() && (change.base !== undefined || change.hunks !== undefined)) {
      const before = await this.#snapshot(file);
      if (change.base !== undefined && change.base !== before.hash) throw stale(file, change.base, before.hash);
      const left =
        change.hunks && change.hunks.length > 0
          ? applyHunks(asText(before.bytes), change.hunks, file).bytes
          : undefined;
      if (left && left.length > asText(before.bytes).format.mark) {
        throw new Misplaced('the file has more in it than the patch removes; it is not deleted');
      }
    }
    this.#state.set(file, 'gone');
    this.#steps.push({ kind: 'delete', file });
    return {};
  }

  /** The bytes a path has by now, and the step or the snapshot they come from. */
  async #held(file: string): Promise<Held> {
    const state = this.#state.get(file);
    if (state === 'gone')
      throw new ToolError('NOT_FOUND', `${file} is deleted or moved earlier in the patch`, { uri: toUri(file) });
    if (state && state.kind !== 'delete') return { bytes: state.bytes, step: state };
    if (!(await lstat(file).catch(() => undefined))) throw await missing(file);
    const before = await this.#snapshot(file);
    return { bytes: before.bytes, before };
  }

  async #snapshot(file: string): Promise<Snapshot> {
    const before = await snapshot(file);
    this.#ctx.env.access.refuseKey(file, before.bytes);
    return before;
  }

  #rewrite(held: Held, file: string, bytes: Buffer): void {
    if (held.step) held.step.bytes = bytes;
    else this.#put({ kind: 'replace', file, before: held.before!, bytes });
  }

  #put(step: Exclude<Step, { kind: 'delete' }>, at: string = step.file): void {
    this.#steps.push(step);
    this.#state.set(at, step);
  }

  /** CONFLICT if something is at a path where a file is to come, or above it where a directory is needed. */
  async #free(file: string): Promise<void> {
    const state = this.#state.get(file);
    if (state === 'gone') return;
    if (state || (await lstat(file).catch(() => undefined))) {
      throw new ToolError('CONFLICT', `${file} already exists; update it, or delete it first`, { uri: toUri(file) });
    }
    for (let at = path.dirname(file); at !== path.dirname(at); at = path.dirname(at)) {
      const what = await lstat(at).catch(() => undefined);
      if (what?.isDirectory()) return;
      if (what || (this.#state.has(at) && this.#state.get(at) !== 'gone')) {
        throw new ToolError('CONFLICT', `${at} is a file, so nothing can be made below it`, { uri: toUri(at) });
      }
    }
  }
}

function stale(file: string, expected: string, actual: string): ToolError {
  return new ToolError('CONFLICT', `${file} has changed since the patch was made; read it again`, {
    uri: toUri(file),
    expected,
    actual,
  });
}
