// New plans: create, clone.
import { z } from 'zod';
import { act } from '../../local.ts';
import type { Tx } from '../../lib/store/index.ts';
import { checkGraph, idsOf } from './check.ts';
import { unlocked } from './graph.ts';
import { withPlans } from './open.ts';
import { goal, id, name, steps, tags } from './params.ts';
import { findPlan, insertPlan, type NewPlan, type Plan, putStep, type Step, stepsOf } from './plans.ts';
import { firstOf } from './view.ts';

export const create = act({
  summary: 'a plan; dependencies in steps are step numbers, also of later ones',
  effect: 'write',
  destructive: false,
  input: z.strictObject({ name, goal, steps, tags: tags.default([]) }),
  run: (ctx, input) =>
    withPlans(ctx, (db) =>
      db.write((tx) => {
        const draft = { ...input, status: 'active' as const };
        const made = insert(tx, draft, (plan) =>
          input.steps.map((step) => ({ ...step, dependencies: idsOf(plan, step.dependencies) })),
        );
        return { data: answer(made) };
      }),
    ),
});

export const clone = act({
  summary: 'a draft with the same steps, all pending',
  effect: 'write',
  destructive: false,
  input: z.strictObject({ id, name: name.optional() }),
  run: (ctx, input) =>
    withPlans(ctx, (db) =>
      db.write((tx) => {
        const from = findPlan(tx, input.id);
        const old = stepsOf(tx, from.id);
        const draft = { ...from, id: undefined, created: undefined, updated: undefined, status: 'draft' as const };
        const made = insert(tx, { ...draft, name: input.name ?? copyOf(from.name) }, (plan) => {
          const ids = new Map(old.map((step, i) => [step.id, `${plan.id}.${i + 1}`]));
          return old.map(({ description, dependencies, tools, estimate, assignee }) => ({
            description,
            dependencies: dependencies.flatMap((each) => ids.get(each) ?? []),
            tools,
            estimate,
            assignee,
          }));
        });
        return { data: { ...answer(made), from: String(from.id) } };
      }),
    ),
});

type Draft = Pick<Step, 'description' | 'dependencies' | 'tools' | 'estimate' | 'assignee'>;

interface Made {
  readonly plan: Plan;
  readonly steps: readonly Step[];
}

function insert(
  tx: Tx,
  draft: Omit<NewPlan, 'lastStep'> & { steps?: unknown },
  stepsFor: (plan: Plan) => Draft[],
): Made {
  const now = new Date().toISOString();
  const plan = insertPlan(tx, draft, now);
  const made = stepsFor(plan).map((each, i) => ({
    ...each,
    number: i + 1,
    id: `${plan.id}.${i + 1}`,
    status: 'pending' as const,
    updated: now,
  }));
  checkGraph(plan, made);
  for (const [place, step] of made.entries()) putStep(tx, plan.id, place, step);
  tx.run('UPDATE plan_plan SET last_step = ? WHERE id = ?', made.length, plan.id);
  return { plan, steps: made };
}

function answer({ plan, steps: made }: Made): Record<string, unknown> {
  return {
    id: String(plan.id),
    name: plan.name,
    status: plan.status,
    steps: made.length,
    next: firstOf(unlocked(made)),
  };
}

function copyOf(from: string): string {
  const end = ' (copy)';
  return `${from.slice(0, 200 - end.length).replace(/[\ud800-\udbff]$/, '')}${end}`;
}
