// Runs one operation for one caller: who may, what was given, then the operation. Every surface comes through here.
import type { z } from 'zod';
import type { Op, OpContext, OpInput, Taken } from './op.ts';
import { Problem } from './problem.ts';
import { traced } from './trace.ts';

/** What came in, by place, before anything is known of it. */
export interface Given {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** Rejects with Problem 401, 403 or 400 before the operation runs, else with what the operation throws. */
export async function invoke(op: Op, context: OpContext, given: Given): Promise<unknown> {
  admit(op, context);
  const taken: Record<string, unknown> = {};
  for (const place of ['params', 'query', 'body'] as const) {
    const schema = op.input[place];
    if (schema === undefined) continue;
    const parsed = schema.safeParse(given[place] ?? {});
    if (!parsed.success) throw new Problem(400, sentenceOf(parsed.error.issues), { code: 'invalid_input' });
    taken[place] = parsed.data;
  }
  // every place the operation declares was parsed by its own schema just now
  return traced(op.id, 'internal', { 'hanzo.operation': op.id }, () =>
    op.run(context, taken as unknown as Taken<OpInput>),
  );
}

/** Whether this caller may: Problem 401 for no credential, 403 for one that is not enough. Asked before a body is read. */
export function admit({ auth, method }: Op, { identity }: OpContext): void {
  if (auth === 'none') return;
  if (identity === undefined) {
    throw new Problem(401, 'A credential is needed: send Authorization: Bearer KEY.', { code: 'no_credential' });
  }
  if (identity.publishable && method !== 'GET') {
    throw new Problem(403, 'A publishable key (pk-) only reads; use a secret key (sk-).', { code: 'publishable_key' });
  }
  if (auth === 'member' || identity.isOperator) return;
  if (auth === 'operator') throw new Problem(403, 'Only operators of this plane may do this.');
  if (!identity.isAdmin) throw new Problem(403, 'Only an admin of the organization may do this.');
}

/** The first issue as a sentence that names the member. */
function sentenceOf(issues: readonly z.core.$ZodIssue[]): string {
  const [issue] = issues;
  if (issue === undefined) return 'The input is not as it must be.';
  const where = issue.path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : `${text}${text === '' ? '' : '.'}${String(part)}`),
    '',
  );
  const what = wordsFor(issue);
  return where === '' ? `The input ${what}.` : `'${where.slice(0, 200)}' ${what}.`;
}

const ARTICLES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function wordsFor(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${ARTICLES[issue.expected] ?? `of type ${issue.expected}`}`;
    case 'invalid_value':
      return `must be ${issue.values.map((each) => JSON.stringify(each)).join(' or ')}`;
    case 'too_big':
    case 'too_small': {
      const most = issue.code === 'too_big';
      const limit = String(most ? issue.maximum : issue.minimum);
      if (issue.origin === 'string') return `must have ${most ? 'at most' : 'at least'} ${limit} characters`;
      if (issue.origin === 'array') return `must have ${most ? 'at most' : 'at least'} ${limit} entries`;
      return `must be ${most ? 'at most' : 'at least'} ${limit}`;
    }
    default: {
      const said = issue.message.replace(/\.$/, '');
      return /^(?:must|may|has|is|needs|cannot|takes|names)\b/.test(said) ? said : `is not valid: ${said}`;
    }
  }
}
