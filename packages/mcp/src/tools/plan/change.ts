// Changes of a plan: update, add_step, remove_step, archive, cancel, clear.
import { type ActionResult, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { act, type Ctx } from '../../local.ts';
import type { Tx } from '../../lib/store/index.ts';
import { checkGraph, idsOf } from './check.ts';
import { isOver, unlocked } from './graph.ts';
import { withPlans } from './open.ts';
import * as p from './params.ts';
import { findPlan, findStep, type Plan, type PlanStatus, putStep, settle, type Step, stepsOf } from './plans.ts';
import { firstOf, namesOnLine, onOneLine, progressIn } from './view.ts';

export const update = act({
  summary: "a step's status, output or other fields; says what is unlocked by it",
  effect: 'write',
  input: z.strictObject({
    id: p.id,
    stepId: p.stepId,
    status: p.status.optional(),
    output: p.output.optional(),
    description: p.description.optional(),
    dependencies: p.dependencies.optional(),
    estimate: p.estimate.optional(),
    assignee: p.assignee.optional(),
  }),
  run: (ctx, { id, stepId, ...fields }) =>
    change(ctx, id, (tx, plan, steps, now) => {
      const step = findStep(plan, steps, stepId);
      const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
      if (Object.keys(given).length === 0) {
        throw new ToolError('INVALID_PARAMS', `step ${step.id}: give 'status', or another field to change`, {
          param: 'status',
        });
      }
      const changed: Step = {
        ...step,
        ...given,
        ...(fields.dependencies ? { dependencies: idsOf(plan, fields.dependencies) } : {}),
        updated: now,
      };
      const then = steps.map((each) => (each === step ? changed : each));
      if (fields.dependencies) checkGraph(plan, then);
      write(tx, plan, steps, then);
      const note = early(changed, then, fields.status);
      return { steps: then, data: { stepId: step.id, status: changed.status, ...note } };
    }),
});

/** A word on a step that began before its time: it is its caller's to decide. */
function early(step: Step, steps: readonly Step[], given: string | undefined): { note?: string } {
  if (given !== 'in_progress' && given !== 'completed') return {};
  const open = steps.filter(({ id, status }) => step.dependencies.includes(id) && !isOver(status));
  return open.length === 0
    ? {}
    : { note: `${step.id} depends on ${namesOnLine(open.map(({ id }) => id))}, not over yet` };
}

export const addStep = act({
  summary: 'at the end, or after the step that is named',
  effect: 'write',
  destructive: false,
  input: z.strictObject({
    id: p.id,
    description: p.description,
    after: p.stepId.optional(),
    dependencies: p.dependencies.default([]),
    estimate: p.estimate.optional(),
    /** where earlier versions took the estimate (contract, local core tools 5.12) */
    text: p.estimate.optional(),
    assignee: p.assignee.optional(),
  }),
  run: (ctx, { id, after, text, ...fields }) =>
    change(ctx, id, (tx, plan, steps, now) => {
      if (text !== undefined && fields.estimate !== undefined && text !== fields.estimate) {
        throw new ToolError('INVALID_PARAMS', "'text' is another name of 'estimate' here; give one of them", {
          param: 'text',
        });
      }
      if (steps.length >= p.MOST_STEPS) {
        throw new ToolError('CONFLICT', `plan ${plan.id} has ${p.MOST_STEPS} steps, the most a plan can have`, {});
      }
      const number = plan.lastStep + 1;
      const place = after === undefined ? steps.length : steps.indexOf(findStep(plan, steps, after)) + 1;
      const step: Step = {
        ...fields,
        estimate: fields.estimate ?? text,
        tools: [],
        dependencies: idsOf(plan, fields.dependencies),
        number,
        id: `${plan.id}.${number}`,
        status: 'pending',
        updated: now,
      };
      const then = steps.toSpliced(place, 0, step);
      checkGraph(plan, then);
      write(tx, plan, steps, then);
      return { steps: then, lastStep: number, data: { stepId: step.id, place: place + 1 } };
    }),
});

export const removeStep = act({
  summary: 'also from the dependencies of others, which are named',
  effect: 'write',
  input: z.strictObject({ id: p.id, stepId: p.stepId }),
  run: (ctx, { id, stepId }) =>
    change(ctx, id, (tx, plan, steps) => {
      const step = findStep(plan, steps, stepId);
      const then = steps
        .filter((each) => each !== step)
        .map((each) =>
          each.dependencies.includes(step.id)
            ? { ...each, dependencies: each.dependencies.filter((other) => other !== step.id) }
            : each,
        );
      tx.run('DELETE FROM plan_step WHERE plan = ? AND number = ?', plan.id, step.number);
      write(tx, plan, steps, then);
      const freed = then.filter((each) => !steps.includes(each)).map((each) => each.id);
      return {
        steps: then,
        data: {
          removed: { id: step.id, description: onOneLine(step.description), status: step.status },
          noLongerDependOnIt: firstOf(freed),
          ...(freed.length > firstOf(freed).length ? { noLongerDependOnItTotal: freed.length } : {}),
        },
      };
    }),
});

interface Changed {
  readonly steps: Step[];
  readonly lastStep?: number;
  readonly data: Record<string, unknown>;
}

/** Changes the steps of a plan in one transaction. Answers with what the plan is then, and what was unlocked. */
function change(
  ctx: Ctx,
  id: string,
  work: (tx: Tx, plan: Plan, steps: readonly Step[], now: string) => Changed,
): Promise<ActionResult> {
  return withPlans(ctx, (db) =>
    db.write((tx) => {
      const now = new Date().toISOString();
      const before = findPlan(tx, id);
      if (before.status === 'archived' || before.status === 'cancelled') {
        throw new ToolError('CONFLICT', `plan ${before.id} is ${before.status}; clone it to go on with a copy`, {
          status: before.status,
        });
      }
      const steps = stepsOf(tx, before.id);
      const { data, lastStep, steps: then } = work(tx, before, steps, now);
      const plan = settle(tx, before, then, now, lastStep);
      const free = unlocked(then);
      const earlier = new Set(unlocked(steps));
      const fresh = free.filter((each) => !earlier.has(each));
      return {
        data: {
          id: String(plan.id),
          ...data,
          plan: plan.status,
          progress: progressIn(then),
          unlocked: named(then, fresh),
          ...(fresh.length > firstOf(fresh).length ? { unlockedTotal: fresh.length } : {}),
          next: named(then, free.slice(0, 1))[0] ?? null,
        },
      };
    }),
  );
}

function named(steps: readonly Step[], ids: readonly string[]): { id: string; description: string }[] {
  const known = new Map(steps.map((each) => [each.id, each.description]));
  return firstOf(ids).map((id) => ({ id, description: onOneLine(known.get(id) ?? '') }));
}

/** Writes the steps that are new or not where they were. */
function write(tx: Tx, plan: Plan, before: readonly Step[], then: readonly Step[]): void {
  for (const [place, step] of then.entries()) if (before[place] !== step) putStep(tx, plan.id, place, step);
}

const setStatus = (status: PlanStatus, summary: string): ReturnType<typeof act> =>
  act({
    summary,
    effect: 'write',
    destructive: false,
    input: z.strictObject({ id: p.id }),
    run: (ctx, input) =>
      withPlans(ctx, (db) =>
        db.write((tx) => {
          const plan = findPlan(tx, input.id);
          const now = new Date().toISOString();
          tx.run('UPDATE plan_plan SET status = ?, updated = ? WHERE id = ?', status, now, plan.id);
          return { data: { id: String(plan.id), name: plan.name, status, before: plan.status } };
        }),
      ),
  });

export const archive = setStatus('archived', 'out of the way; its steps stay as they are');
export const cancel = setStatus('cancelled', 'given up; its steps stay as they are');

export const clear = act({
  summary: 'deletes a plan, or without id all',
  effect: 'write',
  input: z.strictObject({ id: p.id.optional(), confirm: p.confirm }),
  run: (ctx, input) =>
    withPlans(ctx, (db) =>
      db.write((tx) => {
        const plan = input.id === undefined ? undefined : findPlan(tx, input.id);
        const count = plan ? 1 : (tx.get<{ n: number }>('SELECT count(*) AS n FROM plan_plan')?.n ?? 0);
        if (!input.confirm) {
          const what = plan
            ? `plan ${plan.id} '${onOneLine(plan.name, 60)}'`
            : count === 1
              ? 'the one plan there is'
              : `all ${count} plans`;
          throw new ToolError('INVALID_PARAMS', `this would delete ${what} for good; confirm: true does it`, {
            param: 'confirm',
            plans: count,
          });
        }
        const where = plan ? '= ?1' : 'IS NOT ?1';
        for (const [table, column] of [
          ['plan_note', 'plan'],
          ['plan_step', 'plan'],
          ['plan_plan', 'id'],
        ]) {
          tx.run(`DELETE FROM ${table} WHERE ${column} ${where}`, plan?.id ?? null);
        }
        return { data: { cleared: count, ...(plan ? { id: String(plan.id), name: plan.name } : {}) } };
      }),
    ),
});
