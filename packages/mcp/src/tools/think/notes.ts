// Actions that need no model: they keep what the caller thought, and give back what helps to think on.
import { type ActionResult, clip } from '@hanzo/tool';
import { z } from 'zod';
import { readCursor } from '../../lib/cursor.ts';
import { act, type Ctx } from '../../local.ts';
import { type Entry, keep, last, read } from './journal.ts';

/** A thought is a note, not a document. */
const LONGEST = 100_000;

export const text = z.string().trim().min(1).max(LONGEST);
export const about = z.int().min(1).optional().describe('id of an earlier thought');

/** What a critic goes through, by what is looked at. */
const CHECKS = {
  thought: [
    'What is assumed without having been checked? Name each assumption and how it could be tested.',
    'What would show that this is wrong? Look for that first.',
    'Which simpler explanation or solution was passed over, and why?',
    'What happens at the edges: nothing, one, very many, twice, at the same time, half done?',
    'Who or what else depends on the thing that changes?',
  ],
  code: [
    'Which inputs break it: empty, huge, malformed, hostile, not text, another encoding?',
    'Which failures are swallowed, and which leave something half written?',
    'What runs twice, or at the same time, and what then?',
    'What is not bounded: memory, time, output, recursion, retries?',
    'Which names, paths, patterns or shell words come from outside and are trusted?',
    'Which test would have failed before the change, and is it there?',
  ],
} as const;

const REVIEW = [
  'Goal: does it do what was asked, all of it, and nothing else?',
  'Evidence: what was run, and what did it print?',
  'Left out: what is missing, and is that said?',
  'Undo: how is it taken back if it is wrong?',
] as const;

export const thinkAction = act({
  summary: 'keep a thought; no model',
  input: z.strictObject({ text, about }),
  effect: 'write',
  destructive: false,
  run: (ctx, input) => noted(ctx, input.text, input.about, {}),
});

export const critic = act({
  summary: 'a checklist against a thought or code; no model',
  input: z.strictObject({ text, about, kind: z.enum(['thought', 'code']).default('thought') }),
  effect: 'write',
  destructive: false,
  run: (ctx, input) => noted(ctx, input.text, input.about, { kind: input.kind, checks: CHECKS[input.kind] }),
});

export const review = act({
  summary: 'a checklist for finished work; no model',
  input: z.strictObject({ text, about }),
  effect: 'write',
  destructive: false,
  run: (ctx, input) => noted(ctx, input.text, input.about, { checks: REVIEW }),
});

export const get = act({
  summary: 'one kept thought',
  input: z.strictObject({ id: z.int().min(1) }),
  effect: 'read',
  async run(ctx, input): Promise<ActionResult> {
    const entry = await read(ctx, input.id);
    const whole = entry.answer === '' ? entry.text : `${entry.text}\n\n${entry.answer}`;
    return bodied(ctx, head(entry), clip(whole, ctx.maxOutput, ctx.env.config.jsonOnly ? 'json' : 'plain').text);
  },
});

export const list = act({
  summary: 'kept thoughts, newest first',
  input: z.strictObject({ limit: z.int().min(1).max(100).default(20), cursor: z.string().optional() }),
  effect: 'read',
  async run(ctx, input): Promise<ActionResult> {
    const { total } = await last(ctx, 0, 1);
    const offset = readCursor(input.cursor, total);
    const { entries } = await last(ctx, offset, input.limit);
    const shown = entries.map((entry) => ({ ...head(entry), text: clip(entry.text, 200, 'plain').text }));
    const next = offset + entries.length;
    return {
      data: { thoughts: shown, count: shown.length, total },
      paging: { cursor: next < total ? String(next) : null, more: next < total, total },
    };
  },
});

function head({ id, action, about: earlier, created }: Entry): Record<string, unknown> {
  return { id, action, created, ...(earlier === null ? {} : { about: earlier }) };
}

/** The text is not sent back: whoever thought it has it. */
async function noted(
  ctx: Ctx,
  thought: string,
  earlier: number | undefined,
  more: Record<string, unknown>,
): Promise<ActionResult> {
  const id = await keep(ctx, { action: ctx.action, text: thought, answer: '', about: earlier });
  return { data: { ...(id === undefined ? { recorded: false } : { id, recorded: true }), ...more } };
}

/** A text beside the envelope, or in it for programs that take one block. */
export function bodied(ctx: Ctx, data: Record<string, unknown>, body: string): ActionResult {
  return ctx.env.config.jsonOnly
    ? { data: { ...data, text: body } }
    : { data, bodies: [{ kind: 'text', key: 'text', text: body }] };
}
