// ps: the table of processes, a page at a time. Those that run come first, then those that are over, each the newest first.
import { type ActionResult, shorten, ToolError, utf8Length } from '@hanzo/tool';
import { z } from 'zod';
import { judged, left, room, state } from '../../lib/commands/answer.ts';
import type { Proc } from '../../lib/processes/proc.ts';
import { lookSoon, type Snapshot } from '../../lib/processes/scan.ts';
import { act, type Ctx } from '../../local.ts';
import { procId } from './start.ts';

/** Processes of one page that are over, and characters of a command that are shown. */
const FINISHED = 30;
const SHOWN = 160;

export const ps = act({
  summary: 'List processes: running first, then newest first',
  effect: 'read',
  input: z.strictObject({ proc_id: procId.optional(), cursor: z.string().optional() }),
  async run(ctx, { proc_id, cursor }) {
    if (proc_id === undefined) return list(ctx, cursor);
    if (cursor !== undefined) {
      throw new ToolError('INVALID_PARAMS', "give 'proc_id' (one process) or 'cursor' (a page), not both", {
        param: 'cursor',
      });
    }
    const proc = ctx.env.processes.get(proc_id);
    const data = { ...row(proc, await lookSoon()), ...judged(proc) };
    return { data: { processes: [data], count: 1, total: 1 } };
  },
});

async function list(ctx: Ctx, cursor: string | undefined): Promise<ActionResult> {
  const now = await lookSoon();
  const newest = ctx.env.processes.list().toSorted((a, b) => b.serial - a.serial);
  const isOver = (proc: Proc): boolean => proc.ended !== undefined && proc.alive(now) === 0;
  const over = newest.filter(isOver);
  const live = newest.filter((each) => !over.includes(each));
  // A process is told from others by its serial, and it only ever goes from the first group to the second: none is left out
  // from one page to the next, whatever starts and ends between the two.
  const [group, serial] = startOf(cursor);
  const rest = [
    ...live.filter((each) => group === 'live' && each.serial < serial),
    ...over.filter((each) => group === 'live' || each.serial < serial),
  ];
  const shown: Record<string, unknown>[] = [];
  let free = room(ctx);
  let finished = 0;
  let last: Proc | undefined;
  for (const proc of rest) {
    const each = { ...row(proc, now), ...decided(proc) };
    free -= utf8Length(JSON.stringify(each)) + 1;
    if (over.includes(proc)) finished++;
    if (shown.length > 0 && (free < 0 || finished > FINISHED)) break;
    shown.push(each);
    last = proc;
  }
  const more = rest.length - shown.length;
  const next = last && more > 0 ? `${over.includes(last) ? 'over' : 'live'}.${last.serial}` : null;
  return {
    data: {
      processes: shown,
      count: shown.length,
      total: newest.length,
      ...(next ? { more: `${more} more follow: cursor=${next}` } : {}),
    },
    ...(next || cursor !== undefined ? { paging: { cursor: next, more: next !== null, total: newest.length } } : {}),
  };
}

/** After which process of which group a page begins. */
function startOf(cursor: string | undefined): readonly [group: 'live' | 'over', serial: number] {
  if (cursor === undefined) return ['live', Infinity];
  const [, group, serial] = /^(live|over)\.(\d{1,15})$/.exec(cursor) ?? [];
  if (group === 'live' || group === 'over') return [group, Number(serial)];
  const message = `'cursor': '${shorten(cursor)}' is none; pass paging.cursor of the page before, or leave it out`;
  throw new ToolError('INVALID_PARAMS', message, { param: 'cursor' });
}

/** Of the verdict only the decision: a list is read for other things, and `ps` of one process has the reasons. */
function decided({ verdict }: Proc): Record<string, unknown> {
  const { decision } = (verdict ?? {}) as { readonly decision?: string };
  return decision === undefined ? {} : { verdict: { decision } };
}

function row(proc: Proc, now: Snapshot): Record<string, unknown> {
  return {
    ...state(proc),
    pid: proc.pid,
    command: shorten(proc.command, SHOWN),
    running: proc.ended === undefined,
    ...left(proc, now),
    started: new Date(proc.started).toISOString(),
  };
}
