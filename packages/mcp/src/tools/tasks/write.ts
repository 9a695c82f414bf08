// What is written on one item or several: add, update, batch, prioritize, assign, notes.
import { type ActionResult, clip, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { act, type Ctx } from '../../local.ts';
import { readCursor } from '../../lib/cursor.ts';
import type { Tx } from '../../lib/store/index.ts';
import { change, type Changes, checkRoom, find, findAll, insert, isOver, type Item } from './items.ts';
import { withTasks } from './open.ts';
import * as p from './params.ts';
import { parentFor, subtree, takeOut } from './tree.ts';
import { onOneLine, toData } from './view.ts';

export const add = act({
  summary: 'a task; below parent it is of its project unless another is named',
  effect: 'write',
  destructive: false,
  input: z.strictObject({
    content: p.content,
    status: p.status.default('pending'),
    priority: p.priority.default('medium'),
    due: p.due.optional(),
    tags: p.tags.optional(),
    project: p.project.optional(),
    assignee: p.assignee.optional(),
    parent: p.parent.default(0),
  }),
  run: (ctx, input) =>
    withTasks(ctx, (db) =>
      db.write((tx) => {
        checkRoom(tx, 1);
        const parent = parentFor(tx, input.parent);
        const project = input.project ?? (parent === null ? undefined : (find(tx, parent).project ?? undefined));
        const now = new Date();
        const id = insert(tx, { ...input, parent, project }, now.toISOString());
        return { data: toData(find(tx, id), now.getTime()) };
      }),
    ),
});

export const update = act({
  summary: 'any field; empty due, project or assignee takes it away; an archived task that is open again comes back',
  effect: 'write',
  input: z.strictObject({
    id: p.id,
    content: p.content.optional(),
    status: p.status.optional(),
    priority: p.priority.optional(),
    due: p.due.optional(),
    tags: p.tags.optional(),
    project: p.project.optional(),
    assignee: p.assignee.optional(),
    parent: p.parent.optional(),
  }),
  run: (ctx, { id, ...changes }) => {
    if (Object.values(changes).every((each) => each === undefined)) {
      const param = 'status';
      throw new ToolError('INVALID_PARAMS', `task ${id}: give 'status', or another field to change`, { param });
    }
    return changeOne(ctx, id, (tx, item) => ({
      ...changes,
      parent: changes.parent === undefined ? undefined : parentFor(tx, changes.parent, item),
    }));
  },
});

export const prioritize = act({
  summary: 'sets priority',
  effect: 'write',
  destructive: false,
  input: z.strictObject({ id: p.id, priority: p.priority }),
  run: (ctx, { id, ...changes }) => changeOne(ctx, id, () => changes),
});

export const assign = act({
  summary: 'sets assignee; empty: nobody',
  effect: 'write',
  destructive: false,
  input: z.strictObject({ id: p.id, assignee: p.assignee }),
  run: (ctx, { id, ...changes }) => changeOne(ctx, id, () => changes),
});

function changeOne(ctx: Ctx, id: number, changes: (tx: Tx, item: Item) => Changes): Promise<ActionResult> {
  return withTasks(ctx, (db) =>
    db.write((tx) => {
      const now = new Date();
      const given = find(tx, id);
      const what = changes(tx, given);
      const edited = change(tx, given, what, now.toISOString());
      // Afterwards, because those above it may be others then.
      const reopened = what.status !== undefined && !isOver(what.status) ? takeOut(tx, find(tx, id)) : 0;
      const changed = edited || reopened > 0;
      const open = what.status !== undefined && isOver(what.status) ? openBelow(tx, id) : 0;
      return {
        data: {
          ...toData(find(tx, id), now.getTime()),
          changed,
          ...(open > 0 ? { note: `${open} below it ${open === 1 ? 'is' : 'are'} still open` } : {}),
        },
      };
    }),
  );
}

function openBelow(tx: Tx, id: number): number {
  const below = subtree(tx, id).slice(1);
  return below.filter((each) => !isOver(find(tx, each.id).status)).length;
}

export const batch = act({
  summary: 'sets status of ids, all or none',
  effect: 'write',
  input: z.strictObject({ ids: p.ids, status: p.status }),
  run: (ctx, { ids, status }) =>
    withTasks(ctx, (db) =>
      db.write((tx) => {
        const now = new Date().toISOString();
        let changed = 0;
        const items = findAll(tx, ids);
        for (const item of items) {
          // Read again: one before it in the list may have brought it out of the archive.
          const reopened = isOver(status) ? 0 : takeOut(tx, find(tx, item.id));
          const edited = change(tx, item, { status }, now);
          if (edited || reopened > 0) changed++;
        }
        return { data: { status, total: items.length, changed, unchanged: items.length - changed } };
      }),
    ),
});

export const notes = act({
  summary: 'text is appended as lines; without it they are read',
  effect: 'write',
  destructive: false,
  input: z.strictObject({ id: p.id, text: p.note.optional(), cursor: p.cursor }),
  run: (ctx, { id, text, cursor }) =>
    withTasks(ctx, (db) =>
      text === undefined
        ? db.read((tx) => readNotes(ctx, find(tx, id), cursor))
        : db.write((tx) => {
            const item = find(tx, id);
            const all = item.notes === '' ? text : `${item.notes}\n${text}`;
            if (all.length > p.MOST_NOTES) {
              const most = `the notes of task ${id} would have more than ${p.MOST_NOTES} characters`;
              throw new ToolError('INVALID_PARAMS', most, { param: 'text', length: item.notes.length });
            }
            change(tx, item, { notes: all }, new Date().toISOString());
            return { data: { id: String(id), content: onOneLine(item.content), length: all.length } };
          }),
    ),
});

function readNotes(ctx: Ctx, item: Item, cursor: string | undefined): ActionResult {
  const from = readCursor(cursor, item.notes.length);
  const { text, rest } = clip(item.notes.slice(from), ctx.maxOutput, ctx.env.config.jsonOnly ? 'json' : 'plain');
  return {
    data: { id: String(item.id), content: onOneLine(item.content), length: item.notes.length },
    bodies: [{ kind: 'text', key: 'text', text }],
    paging: { cursor: rest > 0 ? String(from + text.length) : null, more: rest > 0 },
  };
}
