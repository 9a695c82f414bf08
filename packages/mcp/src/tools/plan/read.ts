// What is looked up: show, get, list, next, progress, estimate, visualize.
import { type ActionResult, clip, utf8Length } from '@hanzo/tool';
import { z } from 'zod';
import { act, type Ctx } from '../../local.ts';
import { readCursor } from '../../lib/cursor.ts';
import type { Tx } from '../../lib/store/index.ts';
import { work } from './estimate.ts';
import { isOver, levels, unlocked } from './graph.ts';
import { withPlans } from './open.ts';
import { pageOfItems, pageOfText } from './page.ts';
import * as p from './params.ts';
import { findPlan, findStep, type Plan, type PlanStatus, type Step, stepsOf } from './plans.ts';
import {
  bar,
  checkbox,
  counts,
  firstOf,
  MARKS,
  namesOnLine,
  onOneLine,
  planData,
  progressIn,
  progressOf,
  stepData,
} from './view.ts';

/** Bytes of an output that are shown at least, however much room its step takes. */
const LEAST = 200;
/** Steps, or lines, of a page. */
const STEPS = 100;

const looking = z.strictObject({ id: p.idOrLatest, limit: p.limit(STEPS), cursor: p.cursor });

function look(ctx: Ctx, id: string, read: (plan: Plan, steps: Step[], tx: Tx) => ActionResult): Promise<ActionResult> {
  return withPlans(ctx, (db) =>
    db.read((tx) => {
      const plan = findPlan(tx, id);
      return read(plan, stepsOf(tx, plan.id), tx);
    }),
  );
}

export const show = act({
  summary: 'a Markdown checklist',
  effect: 'read',
  input: looking,
  run: (ctx, input) =>
    look(ctx, input.id, (plan, steps) => {
      const head = (start: number): string =>
        start > 0
          ? ''
          : `# ${plan.name} (plan ${plan.id}, ${plan.status})\n\n${clip(plan.goal, Math.floor(ctx.maxOutput / 2)).text}\n\n${bar(progressIn(steps))}\n\n`;
      const { text, paging } = pageOfText(ctx, steps.map(checkbox), input, head);
      return {
        data: { ...planData(plan, readCursor(input.cursor, steps.length) === 0), progress: progressIn(steps) },
        bodies: [{ kind: 'text', key: 'text', text }],
        paging,
      };
    }),
});

export const get = act({
  summary: 'the same as data; with stepId one step and its whole output',
  effect: 'read',
  input: z.strictObject({
    id: p.idOrLatest,
    stepId: p.stepId.optional(),
    limit: p.limit(STEPS),
    cursor: p.cursor,
  }),
  run: (ctx, input) =>
    look(ctx, input.id, (plan, steps) => {
      if (input.stepId !== undefined) return one(ctx, findStep(plan, steps, input.stepId), input.cursor);
      const first = readCursor(input.cursor, steps.length) === 0;
      const about = { ...planData(plan, first), ...(first ? { goal: plan.goal } : {}), progress: progressIn(steps) };
      const item = (i: number): Record<string, unknown> => {
        const step = steps[i] as Step;
        return { ...stepData(step), ...(step.output ? { output: onOneLine(step.output) } : {}) };
      };
      const { items, paging } = pageOfItems(ctx, steps.length, input, item, utf8Length(JSON.stringify(about)));
      return { data: { ...about, steps: items }, paging };
    }),
});

function one(ctx: Ctx, step: Step, cursor: string | undefined): ActionResult {
  const { output = '' } = step;
  const from = readCursor(cursor, output.length);
  const data = from > 0 ? { id: step.id, from } : { ...stepData(step), updated: step.updated };
  const room = Math.max(LEAST, ctx.maxOutput - utf8Length(JSON.stringify(data)));
  const { text, rest } = clip(output.slice(from), room, ctx.env.config.jsonOnly ? 'json' : 'plain');
  return {
    data,
    bodies: [{ kind: 'text', key: 'output', text }],
    paging: { cursor: rest > 0 ? String(from + text.length) : null, more: rest > 0 },
  };
}

interface Listed extends Record<string, string | number> {
  readonly id: number;
  readonly name: string;
  readonly goal: string;
  readonly status: string;
  readonly tags: string;
  readonly updated: string;
  readonly done: number;
  readonly total: number;
}

export const list = act({
  summary: 'plans, newest first',
  effect: 'read',
  input: z.strictObject({
    filter: p.filter,
    tags: p.tags.default([]),
    limit: p.limit(20),
    cursor: p.cursor,
  }),
  run: (ctx, input) =>
    withPlans(ctx, (db) =>
      db.read((tx) => {
        const where = [
          ...(input.filter === 'all' ? [] : ['status = ?']),
          ...input.tags.map(() => 'EXISTS (SELECT 1 FROM json_each(plan_plan.tags) WHERE value = ?)'),
        ];
        const values = [...(input.filter === 'all' ? [] : [input.filter]), ...input.tags];
        const from = `FROM plan_plan ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''}`;
        const total = tx.get<{ n: number }>(`SELECT count(*) AS n ${from}`, ...values)?.n ?? 0;
        const start = readCursor(input.cursor, total);
        const rows = tx.all<Listed>(
          `SELECT id, name, goal, status, tags, updated,
             (SELECT count(*) FROM plan_step WHERE plan = plan_plan.id) AS total,
             (SELECT count(*) FROM plan_step WHERE plan = plan_plan.id AND status IN ('completed', 'skipped')) AS done
           ${from} ORDER BY id DESC LIMIT ? OFFSET ?`,
          ...values,
          input.limit,
          start,
        );
        const { items, paging } = pageOfItems(ctx, total, input, (i) => listed(rows[i - start] as Listed));
        return { data: { plans: items, count: items.length, total }, paging };
      }),
    ),
});

function listed({ id, name, goal, status, tags, updated, done, total }: Listed): Record<string, unknown> {
  const all = JSON.parse(tags) as string[];
  return {
    id: String(id),
    name,
    status: status as PlanStatus,
    progress: progressOf(done, total),
    goal: onOneLine(goal),
    ...(all.length > 0 ? { tags: all } : {}),
    updated,
  };
}

export const next = act({
  summary: 'steps that can begin now',
  effect: 'read',
  input: looking,
  run: (ctx, input) =>
    look(ctx, input.id, (plan, steps) => {
      const known = new Map(steps.map((each) => [each.id, each]));
      const free = unlocked(steps);
      const { items, paging } = pageOfItems(ctx, free.length, input, (i) =>
        stepData(known.get(free[i] as string) as Step),
      );
      const running = steps.filter(({ status }) => status === 'in_progress').map(({ id }) => id);
      return {
        data: {
          id: String(plan.id),
          name: plan.name,
          plan: plan.status,
          next: items,
          inProgress: firstOf(running),
          ...note(plan, steps, free.length),
        },
        paging,
      };
    }),
});

function note(plan: Plan, steps: readonly Step[], free: number): { note?: string } {
  if (plan.status === 'cancelled' || plan.status === 'archived') {
    return { note: `plan ${plan.id} is ${plan.status}; clone it to go on with a copy` };
  }
  return free === 0 ? { note: why(steps) } : {};
}

/** Why no step can begin. */
function why(steps: readonly Step[]): string {
  const { pending, in_progress: running, blocked } = counts(steps);
  if (steps.length === 0) return 'the plan has no steps; add_step adds one';
  if (pending + running + blocked === 0) return 'every step is completed or skipped';
  const waiting = [
    ...(running > 0 ? [`${running} in progress`] : []),
    ...(blocked > 0 ? [`${blocked} blocked`] : []),
    ...(pending > 0 ? [`${pending} waiting for others`] : []),
  ];
  return `no step can begin: ${waiting.join(', ')}`;
}

export const progress = act({
  summary: 'how much is done',
  effect: 'read',
  input: z.strictObject({ id: p.idOrLatest }),
  run: (ctx, input) =>
    look(ctx, input.id, (plan, steps) => ({
      data: {
        id: String(plan.id),
        name: plan.name,
        plan: plan.status,
        bar: bar(progressIn(steps)),
        progress: progressIn(steps),
        counts: counts(steps),
      },
    })),
});

export const estimate = act({
  summary: 'the work that is left, from the estimates',
  effect: 'read',
  input: z.strictObject({ id: p.idOrLatest }),
  run: (ctx, input) =>
    look(ctx, input.id, (plan, steps) => {
      const graph = new Map(steps.map((each) => [each.id, each.dependencies]));
      return {
        data: {
          id: String(plan.id),
          name: plan.name,
          plan: plan.status,
          progress: progressIn(steps),
          counts: counts(steps),
          total: work(steps),
          remaining: work(steps.filter(({ status }) => !isOver(status))),
          levels: levels(graph).levels.length,
        },
      };
    }),
});

export const visualize = act({
  summary: 'steps by depth of their dependencies',
  effect: 'read',
  input: looking,
  run: (ctx, input) =>
    look(ctx, input.id, (plan, steps) => {
      const known = new Map(steps.map((each) => [each.id, each]));
      const found = levels(new Map(steps.map((each) => [each.id, each.dependencies])));
      const groups = found.levels.map((ids, i) => ({ title: `level ${i}`, ids }));
      if (found.rest.length > 0) groups.push({ title: 'in a cycle, or behind one', ids: found.rest });
      const rows = groups.flatMap(({ title, ids }) => ids.map((id, i) => ({ title, first: i === 0, id })));
      const blocks = rows.map(({ title, first, id }) => `${first ? `${title}\n` : ''}${row(known.get(id) as Step)}`);
      const head = (start: number): string => {
        const begun = rows[start];
        return start > 0 && begun && !begun.first ? `${begun.title}, continued\n` : '';
      };
      const { text, paging } = pageOfText(ctx, blocks, input, head);
      return {
        data: {
          id: String(plan.id),
          name: plan.name,
          plan: plan.status,
          levels: found.levels.length,
          ...(found.rest.length > 0 ? { cyclic: firstOf(found.rest) } : {}),
        },
        bodies: [{ kind: 'text', key: 'text', text }],
        paging,
      };
    }),
});

function row({ id, status, description, dependencies }: Step): string {
  const after = dependencies.length > 0 ? ` <- ${namesOnLine(dependencies)}` : '';
  return `  [${MARKS[status]}] ${id} ${onOneLine(description, 100)}${after}\n`;
}
