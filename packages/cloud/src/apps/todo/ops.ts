// Operations on boards; items are the tools' affair.
import { z } from 'zod';
import type { Identity } from '../../core/identity.ts';
import { op, type Op, type OpContext } from '../../core/op.ts';
import { Problem } from '../../core/problem.ts';
import type { Audit } from '../../ports/audit.ts';
import type { TodoService } from './service.ts';
import { asBoard, BoardName, BoardShape } from './shapes.ts';

const app = 'todo';

function caller({ identity }: OpContext): Identity {
  if (identity === undefined) throw new Problem(401, 'A credential is needed.');
  return identity;
}

export function todoOps(service: TodoService, audit: Audit): readonly Op[] {
  return [
    op({
      id: 'get_todo_boards',
      app,
      method: 'GET',
      path: '/v1/todo/boards',
      summary: 'Lists the organization’s boards.',
      auth: 'member',
      input: {},
      answer: z.object({ boards: z.array(BoardShape) }).meta({ id: 'todo.BoardList' }),
      async run(context) {
        return { boards: (await service.boards(caller(context).org)).map(asBoard) };
      },
    }),
    op({
      id: 'post_todo_boards',
      app,
      method: 'POST',
      path: '/v1/todo/boards',
      summary: 'Creates a board.',
      auth: 'member',
      input: { body: z.object(BoardName.shape) },
      answer: BoardShape,
      status: 201,
      refusals: { 409: 'the name is taken, or there are 100' },
      async run(context, { body: { name } }) {
        const row = await service.createBoard(caller(context).org, name);
        await audit.append(context, {
          action: 'todo.board.create',
          resource: { type: 'todo', id: row.id },
          outcome: { result: 'ok', status: 201 },
        });
        return asBoard(row);
      },
    }),
  ];
}
