// What todo operations and tools take and answer: one set of schemas, so that what is published is what is checked.
import { z } from 'zod';
import { type BoardRow, type ItemRow, PRIORITIES, STATUSES } from './service.ts';

const Title = z.string().trim().min(1).max(300);
const Notes = z.string().max(10_000);
const Board = z.string().trim().min(1).max(100).describe('id or name; may be left out where there is one board');
const StatusValue = z.enum(STATUSES);
const PriorityValue = z.enum(PRIORITIES);

export const BoardName = z.strictObject({ name: z.string().trim().min(1).max(100) });
export const Nothing = z.strictObject({});
export const Filter = z.strictObject({
  board: z.string().trim().min(1).max(100).describe('id or name; default: all boards').optional(),
  status: StatusValue.optional(),
  limit: z.int().min(1).max(200).default(50),
});
export const Create = z.strictObject({
  board: Board.optional(),
  title: Title,
  notes: Notes.optional(),
  status: StatusValue.optional().describe('default open'),
  priority: PriorityValue.optional().describe('default medium'),
});
export const Update = z.strictObject({
  id: z.string().min(1).max(64),
  title: Title.optional(),
  notes: Notes.optional(),
  status: StatusValue.optional(),
  priority: PriorityValue.optional(),
});

export const BoardShape = z.object({ id: z.string(), name: z.string(), createdAt: z.int() }).meta({ id: 'todo.Board' });

export function asBoard({ id, name, created }: BoardRow): z.input<typeof BoardShape> {
  return { id, name, createdAt: created };
}

export function asItem({ id, board, title, notes, status, priority, source, who, created, updated }: ItemRow): {
  readonly [member: string]: string | number;
} {
  return { id, board, title, notes, status, priority, source, user: who, createdAt: created, updatedAt: updated };
}
