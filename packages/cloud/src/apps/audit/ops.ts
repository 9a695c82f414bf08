// Reading the record: an admin their organization's, an operator everybody's.
import { z } from 'zod';
import { op, type Op } from '../../core/op.ts';
import { Problem } from '../../core/problem.ts';
import type { AuditService } from './service.ts';

const text = z.string().max(300).optional();
/** A filter that is no number is a mistake worth being told of: it would quietly show too much. */
const time = z
  .string()
  .regex(/^\d{1,12}$/, 'must be Unix seconds')
  .optional()
  .transform((value) => (value === undefined ? undefined : Number(value)));

const Row = z.object({
  seq: z.int(),
  time: z.int(),
  actor: z.object({ org: z.string(), sub: z.string(), email: z.string().optional() }),
  action: z.string(),
  resource: z.object({ type: z.string(), id: z.string().optional() }),
  auth: z.object({ method: z.string(), isAdmin: z.boolean() }),
  outcome: z.object({ result: z.string(), status: z.int(), reason: z.string().optional() }),
  sourceIp: z.string().optional(),
  userAgent: z.string().optional(),
  requestId: z.string().optional(),
  method: z.string().optional(),
  path: z.string().optional(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  prevHash: z.string(),
  hash: z.string(),
});

export function auditOps(service: AuditService): readonly Op[] {
  return [
    op({
      id: 'get_audit',
      app: 'audit',
      method: 'GET',
      path: '/v1/audit',
      summary: 'Lists who did what, newest first.',
      description:
        'Each row carries the hash of itself and of the row before it in its organization; `hanzo-cloud audit verify` checks an export.',
      auth: 'admin',
      input: {
        query: z.object({
          org: text.describe('for operators; left out: every organization'),
          action: text,
          sub: text.describe('who: a user’s or a machine key’s id'),
          resource: text.describe('the id of what was acted on'),
          result: text,
          since: time.describe('Unix seconds'),
          until: time.describe('Unix seconds'),
          limit: z
            .string()
            .optional()
            .describe('default 50, at most 200')
            .transform((value) => (/^[1-9]\d{0,8}$/.test(value ?? '') ? Math.min(Number(value), 200) : 50)),
          cursor: text.describe('of the answer before: goes on after it'),
        }),
      },
      answer: z.object({
        rows: z.array(Row),
        cursor: z.string().optional().describe('there is more'),
      }),
      refusals: { 403: 'not an admin', 404: 'another organization' },
      async run({ identity }, { query: { limit, cursor, org, ...filter } }) {
        if (identity === undefined) throw new Problem(401, 'A credential is needed.');
        if (org !== undefined && org !== identity.org && !identity.isOperator)
          throw new Problem(404, `There is no organization '${org}'.`);
        const page = await service.page({ ...filter, org: identity.isOperator ? org : identity.org }, limit, cursor);
        return { ...page, rows: [...page.rows] };
      },
    }),
  ];
}
