// The JSON file of earlier versions, put into the tables in one transaction.
import { isDone, setDone, type TakeOver } from '../../../lib/document/keeper.ts';
import type { Tx } from '../../../lib/store/index.ts';
import { insertPlan, putStep, statusFor } from '../plans.ts';
import { TABLES } from '../tables.ts';
import { parseDocument, type PlanDraft } from './parse.ts';

export const takeOver: TakeOver = async (db, document, once) => {
  const { plans, lastId, problems } = parseDocument(document);
  return db.write((tx) => {
    if (isDone(tx, TABLES, once)) return undefined;
    const now = new Date().toISOString();
    const renumbered = plans.flatMap((draft) => put(tx, draft, now));
    // A number that was given once is not given again.
    if (!tx.get("SELECT 1 FROM sqlite_sequence WHERE name = 'plan_plan'")) {
      tx.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('plan_plan', 0)");
    }
    tx.run("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'plan_plan'", lastId);
    setDone(tx, TABLES, once);
    return { what: plans.length === 1 ? '1 plan' : `${plans.length} plans`, problems: [...renumbered, ...problems] };
  });
};

/** Puts one plan, under its own number where that is free; says so where it is not. */
function put(tx: Tx, draft: PlanDraft, now: string): string[] {
  const { id, name, goal, tags, steps, notes, created = now, updated = created } = draft;
  const free = id !== undefined && !tx.get('SELECT 1 FROM plan_plan WHERE id = ?', id);
  const status = statusFor(draft.status ?? 'active', steps);
  const lastStep = Math.max(0, ...steps.map(({ number }) => number));
  const plan = insertPlan(tx, { id: free ? id : undefined, name, goal, status, tags, lastStep, created, updated }, now);
  for (const [place, step] of steps.entries()) {
    const dependencies = step.dependencies.map((each) => `${plan.id}.${each}`);
    putStep(tx, plan.id, place, { ...step, dependencies, updated });
  }
  for (const text of notes) tx.run('INSERT INTO plan_note (plan, text, at) VALUES (?, ?, ?)', plan.id, text, updated);
  return free || id === undefined ? [] : [`plan ${id} is ${plan.id} now, as there was a plan ${id}`];
}
