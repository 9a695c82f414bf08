// Notes on a plan: appended, and read in their order.
import { ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { act } from '../../local.ts';
import { page } from '../../lib/page.ts';
import type { Row } from '../../lib/store/index.ts';
import { withPlans } from './open.ts';
import { cursor, id, limit, note } from './params.ts';
import { findPlan } from './plans.ts';

/** Notes of one plan. */
const MOST = 10_000;

interface Note extends Row {
  readonly text: string;
  readonly at: string;
}

export const notes = act({
  summary: 'text is appended; without it they are read',
  effect: 'write',
  destructive: false,
  input: z.strictObject({ id, text: note.optional(), limit: limit(50), cursor }),
  run: (ctx, input) =>
    withPlans(ctx, (db) => {
      const { text } = input;
      if (text === undefined) {
        return db.read((tx) => {
          const plan = findPlan(tx, input.id);
          const all = tx.all<Note>('SELECT text, at FROM plan_note WHERE plan = ? ORDER BY id', plan.id);
          const result = page(ctx, all.length, input, 'notes', (i) => {
            const { text: shown, at } = all[i] as Note;
            return { json: { at, text: shown }, long: 'text', head: at };
          });
          return { ...result, data: { id: String(plan.id), name: plan.name, ...result.data } };
        });
      }
      return db.write((tx) => {
        const plan = findPlan(tx, input.id);
        const count = tx.get<{ n: number }>('SELECT count(*) AS n FROM plan_note WHERE plan = ?', plan.id)?.n ?? 0;
        if (count >= MOST) throw new ToolError('CONFLICT', `plan ${plan.id} has ${MOST} notes, the most it can have`);
        tx.run('INSERT INTO plan_note (plan, text, at) VALUES (?, ?, ?)', plan.id, text, new Date().toISOString());
        return { data: { id: String(plan.id), name: plan.name, notes: count + 1 } };
      });
    }),
});
