// Plans and their steps in the tables: found, read, written; the status that follows from the steps.
import { nearest, shorten, ToolError } from '@hanzo/tool';
import type { Row, Tx } from '../../lib/store/index.ts';
import { isOver, type StepStatus } from './graph.ts';
import { LATEST, type PLAN_STATUSES } from './params.ts';

export type PlanStatus = (typeof PLAN_STATUSES)[number];

/** Names looked at for the nearest one, and steps named in a refusal. */
const NAMES = 1000;
const NAMED = 20;

export interface Plan {
  readonly id: number;
  readonly name: string;
  readonly goal: string;
  readonly status: PlanStatus;
  readonly tags: readonly string[];
  /** the highest number a step of it ever had */
  readonly lastStep: number;
  readonly created: string;
  readonly updated: string;
}

export interface Step {
  readonly number: number;
  /** `<plan>.<number>` */
  readonly id: string;
  readonly description: string;
  readonly status: StepStatus;
  /** ids */
  readonly dependencies: readonly string[];
  readonly tools: readonly string[];
  readonly estimate?: string | undefined;
  readonly assignee?: string | undefined;
  readonly output?: string | undefined;
  readonly updated: string;
}

interface PlanRow extends Row {
  readonly id: number;
  readonly name: string;
  readonly goal: string;
  readonly status: string;
  readonly tags: string;
  readonly last_step: number;
  readonly created: string;
  readonly updated: string;
}

interface StepRow extends Row {
  readonly number: number;
  readonly description: string;
  readonly status: string;
  readonly dependencies: string;
  readonly tools: string;
  readonly estimate: string | null;
  readonly assignee: string | null;
  readonly output: string | null;
  readonly updated: string;
}

// The columns hold what this file wrote, from values of these types.
const toPlan = ({ last_step: lastStep, status, tags, ...row }: PlanRow): Plan => ({
  ...(row as Pick<Plan, 'id' | 'name' | 'goal' | 'created' | 'updated'>),
  status: status as PlanStatus,
  tags: JSON.parse(tags) as string[],
  lastStep,
});

const toStep = (plan: number, row: StepRow): Step => ({
  number: row.number,
  id: `${plan}.${row.number}`,
  description: row.description,
  status: row.status as StepStatus,
  dependencies: (JSON.parse(row.dependencies) as number[]).map((each) => `${plan}.${each}`),
  tools: JSON.parse(row.tools) as string[],
  estimate: row.estimate ?? undefined,
  assignee: row.assignee ?? undefined,
  output: row.output ?? undefined,
  updated: row.updated,
});

/** The plan of an id, of a name only one has, or the latest. NOT_FOUND with what was perhaps meant. */
export function findPlan(tx: Tx, given: string): Plan {
  const row = given === LATEST ? latest(tx) : /^\d{1,15}$/.test(given) ? byId(tx, Number(given)) : undefined;
  if (row) return toPlan(row);
  const named = tx.all<PlanRow>('SELECT * FROM plan_plan WHERE name = ? ORDER BY id DESC LIMIT 21', given);
  const [only] = named;
  if (only && named.length === 1) return toPlan(only);
  if (only) {
    const ids = named.slice(0, NAMED).map((each) => String(each.id));
    throw new ToolError('INVALID_PARAMS', `several plans are called '${shorten(given)}'; give one of their ids`, {
      param: 'id',
      ids,
    });
  }
  throw missing(tx, given);
}

function latest(tx: Tx): PlanRow | undefined {
  return (
    tx.get<PlanRow>("SELECT * FROM plan_plan WHERE status = 'active' ORDER BY id DESC LIMIT 1") ??
    tx.get<PlanRow>('SELECT * FROM plan_plan ORDER BY id DESC LIMIT 1')
  );
}

const byId = (tx: Tx, id: number): PlanRow | undefined => tx.get<PlanRow>('SELECT * FROM plan_plan WHERE id = ?', id);

function missing(tx: Tx, given: string): ToolError {
  const newest = tx.get<{ id: number; name: string }>('SELECT id, name FROM plan_plan ORDER BY id DESC LIMIT 1');
  if (!newest) return new ToolError('NOT_FOUND', 'there are no plans; create makes one', { id: shorten(given) });
  const names = tx.all<{ name: string }>(`SELECT name FROM plan_plan ORDER BY id DESC LIMIT ${NAMES}`);
  const meant = /^\d+$/.test(given)
    ? undefined
    : nearest(
        given,
        names.map((each) => each.name),
      );
  const hint =
    meant === undefined ? `the newest is ${newest.id} '${shorten(newest.name)}'` : `did you mean '${shorten(meant)}'?`;
  return new ToolError('NOT_FOUND', `there is no plan '${shorten(given)}'; ${hint}`, { id: shorten(given) });
}

/** The steps of a plan in its order. */
export function stepsOf(tx: Tx, plan: number): Step[] {
  return tx
    .all<StepRow>('SELECT * FROM plan_step WHERE plan = ? ORDER BY place, number', plan)
    .map((row) => toStep(plan, row));
}

/** `1.2` for `1.2` and for `2`; what is no id of a step stays as it is. */
export const stepIdOf = (plan: Plan, given: string): string => (/^\d+$/.test(given) ? `${plan.id}.${given}` : given);

/** The step of an id or of its number alone. NOT_FOUND with the ids there are. */
export function findStep(plan: Plan, steps: readonly Step[], given: string): Step {
  const wanted = stepIdOf(plan, given);
  const found = steps.find(({ id }) => id === wanted);
  if (found) return found;
  throw new ToolError('NOT_FOUND', `plan ${plan.id} has no step '${shorten(given)}'; ${namesOf(steps)}`, {
    stepId: shorten(given),
  });
}

/** What steps there are, for a refusal. */
export function namesOf(steps: readonly Pick<Step, 'id'>[]): string {
  if (steps.length === 0) return 'it has none';
  const more = steps.length > NAMED ? `, and ${steps.length - NAMED} more` : '';
  return `it has ${steps
    .slice(0, NAMED)
    .map(({ id }) => id)
    .join(', ')}${more}`;
}

/** What an insert takes. */
export type NewPlan = Pick<Plan, 'name' | 'goal' | 'status' | 'tags'> & {
  readonly lastStep?: number;
  readonly id?: number | undefined;
  readonly created?: string | undefined;
  readonly updated?: string | undefined;
};

/** Inserts a plan without steps; returns it with its id, which no other ever had. */
export function insertPlan(tx: Tx, draft: NewPlan, now: string): Plan {
  const { id, name, goal, status, tags, lastStep = 0, created = now, updated = created } = draft;
  const made = tx.run(
    'INSERT INTO plan_plan (id, name, goal, status, tags, last_step, created, updated) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    id ?? null,
    name,
    goal,
    status,
    JSON.stringify(tags),
    lastStep,
    created,
    updated,
  );
  return { id: made.id, name, goal, status, tags, lastStep, created, updated };
}

/** Writes a step, over the one of that number where there is one. */
export function putStep(tx: Tx, plan: number, place: number, step: Omit<Step, 'id'>): void {
  tx.run(
    `INSERT OR REPLACE INTO plan_step
       (plan, number, place, description, status, dependencies, tools, estimate, assignee, output, updated)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    plan,
    step.number,
    place,
    step.description,
    step.status,
    JSON.stringify(step.dependencies.map((each) => Number(each.slice(each.indexOf('.') + 1)))),
    JSON.stringify(step.tools),
    step.estimate ?? null,
    step.assignee ?? null,
    step.output ?? null,
    step.updated,
  );
}

/** The status that the steps give a plan. Archived and cancelled ones stay so; a draft begins with its first step. */
export function statusFor(before: PlanStatus, steps: readonly Pick<Step, 'status'>[]): PlanStatus {
  if (before === 'archived' || before === 'cancelled') return before;
  if (steps.length > 0 && steps.every((each) => isOver(each.status))) return 'completed';
  if (before === 'draft' && steps.every((each) => each.status === 'pending')) return 'draft';
  return 'active';
}

/** Notes that a plan has changed, with the status its steps give it now. */
export function settle(tx: Tx, plan: Plan, steps: readonly Step[], now: string, lastStep = plan.lastStep): Plan {
  const status = statusFor(plan.status, steps);
  tx.run('UPDATE plan_plan SET status = ?, last_step = ?, updated = ? WHERE id = ?', status, lastStep, now, plan.id);
  return { ...plan, status, lastStep, updated: now };
}
