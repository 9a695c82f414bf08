// The actions that read what a process wrote: logs, wait.
import { type Body, ToolError, utf8Length } from '@hanzo/tool';
import { z } from 'zod';
import { answer, judged, left, room, state } from '../../lib/commands/answer.ts';
import { page, showTail, type StreamName } from '../../lib/commands/output.ts';
import type { Proc } from '../../lib/processes/proc.ts';
import { waitFor } from '../../lib/processes/wait.ts';
import { act } from '../../local.ts';
import { whole } from './params.ts';
import { MAX_WAIT, procId } from './start.ts';

/** Characters of an unfinished line that are shown. */
const SHOWN = 160;

export const logs = act({
  summary: 'Output of a process: its last lines, or the page at a byte offset',
  effect: 'read',
  input: z.strictObject({
    proc_id: procId,
    stream: z.enum(['stdout', 'stderr']).optional(),
    tail: whole(1, 100_000).optional().describe('lines, default 50'),
    offset: whole(0, Number.MAX_SAFE_INTEGER).optional().describe('byte'),
  }),
  run(ctx, { proc_id, stream, tail, offset }) {
    const proc = ctx.env.processes.get(proc_id);
    const facts = { ...state(proc), running: proc.ended === undefined, ...left(proc), ...judged(proc) };
    if (offset === undefined) return lastLines(proc, facts, stream, tail ?? 50, room(ctx));
    if (tail !== undefined) {
      throw new ToolError('INVALID_PARAMS', "give 'tail' (last lines) or 'offset' (a page), not both", {
        param: 'tail',
      });
    }
    return onePage(proc, facts, stream ?? 'stdout', offset, room(ctx));
  },
});

function lastLines(
  proc: Proc,
  facts: Record<string, unknown>,
  stream: StreamName | undefined,
  lines: number,
  most: number,
): { data: Record<string, unknown>; bodies: Body[] } {
  const bodies: Body[] = [];
  const data: Record<string, unknown> = { ...facts };
  let free = most;
  // stderr first: it is the shorter one, and what it leaves is for stdout
  for (const name of (['stderr', 'stdout'] as const).filter((each) => stream === undefined || each === stream)) {
    const { text, cut } = showTail(
      proc[name],
      lines,
      stream === undefined && name === 'stderr' ? Math.floor(most / 2) : free,
    );
    free -= utf8Length(text);
    bodies.unshift({ kind: 'text', key: name, text });
    data[`${name}_bytes`] = proc[name].size;
    if (cut) data['more'] = `fewer lines than asked for: ask with offset to page through the whole`;
  }
  return { data, bodies };
}

function onePage(
  proc: Proc,
  facts: Record<string, unknown>,
  stream: StreamName,
  offset: number,
  most: number,
): { data: Record<string, unknown>; bodies: Body[] } {
  const capture = proc[stream];
  if (offset > capture.size) {
    const message = `offset ${offset} is past the end; ${stream} has ${capture.size} bytes in all`;
    throw new ToolError('INVALID_PARAMS', message, { param: 'offset', size: capture.size });
  }
  const { text, from, next } = page(capture, offset, most);
  const unfinished = capture.size > capture.settled ? capture.read(capture.settled, capture.size).toString() : '';
  return {
    data: {
      ...facts,
      stream,
      offset: from,
      next_offset: next,
      size: capture.size,
      ...(from > offset ? { lost: { from: offset, to: from } } : {}),
      ...(next < capture.settled ? { more: `${capture.settled - next} bytes follow: offset=${next}` } : {}),
      ...(unfinished === '' ? {} : { unfinished: unfinished.slice(-SHOWN) }),
    },
    bodies: [{ kind: 'text', key: stream, text }],
  };
}

export const wait = act({
  summary: 'Wait until a process ends, prints a pattern, or is quiet',
  effect: 'read',
  input: z.strictObject({
    proc_id: procId,
    timeout: whole(0, MAX_WAIT).default(30_000),
    pattern: z.string().min(1).optional().describe('regex'),
    quiet: whole(1, Number.MAX_SAFE_INTEGER).optional().describe('ms without output'),
  }),
  async run(ctx, { proc_id, timeout, pattern, quiet }) {
    const proc = ctx.env.processes.get(proc_id);
    const waited = proc.ended === undefined;
    const met = await waitFor(proc, {
      timeoutMs: timeout,
      signal: ctx.signal,
      ...(pattern === undefined ? {} : { pattern }),
      ...(quiet === undefined ? {} : { quietMs: quiet }),
    });
    const { data, bodies } = answer(ctx, proc);
    const how = met ? { met: met.by, ...(met.by === 'pattern' ? { line: met.line } : {}) } : {};
    const result = { data: { ...data, waited, ...how }, ...(bodies ? { bodies } : {}) };
    if (met) return result;
    throw new ToolError(
      'TIMEOUT',
      `${proc_id}: not met within ${timeout} ms; it goes on`,
      { proc_id, timeout },
      result,
    );
  },
});
