// The parameters that the actions share, and the bounds they have.
import { z } from 'zod';

export const STEP_STATUSES = ['pending', 'in_progress', 'completed', 'blocked', 'skipped'] as const;
export const PLAN_STATUSES = ['active', 'completed', 'draft', 'cancelled', 'archived'] as const;
/** As an id: the newest active plan, else the newest. */
export const LATEST = 'latest';

/** Steps of one plan. */
export const MOST_STEPS = 1000;
/** Steps that one step depends on. */
export const MOST_DEPENDENCIES = 100;

const text = (most: number): z.ZodString =>
  z
    .string()
    .trim()
    // Not as min(1): inside a list that would be published.
    .refine((given) => given !== '', 'is empty')
    .refine((given) => given.length <= most, `at most ${most} characters`)
    .refine((given) => given.isWellFormed(), 'holds half of a surrogate pair');

/** Shown on one line. */
const line = (most: number): z.ZodString =>
  text(most).refine((given) => !/\p{Cc}/u.test(given), 'holds a control character or a line end');

/** Whole numbers are taken for their digits: `1`, and `2` for step 2. No others: 1.10 as a number is 1.1, another step. */
const digits = <S extends z.ZodType>(schema: S): z.ZodPreprocess<S> =>
  z.preprocess((given) => (Number.isSafeInteger(given) ? String(given) : given), schema);

export const name = line(200);
export const goal = text(4000);
export const description = text(2000);
export const estimate = line(100);
export const assignee = line(100);
export const output = z
  .string()
  .refine((given) => given.length <= 100_000, 'at most 100000 characters')
  .refine((given) => given.isWellFormed(), 'holds half of a surrogate pair');
export const note = text(10_000);
const tools = z.array(line(100)).refine((list) => list.length <= 32, 'at most 32 tools');
export const tags = z.array(line(100)).refine((list) => list.length <= 32, 'at most 32 tags');
export const id = digits(line(200));
export const idOrLatest = id.default(LATEST);
export const stepId = digits(line(40));
export const dependencies = z
  .array(digits(line(40)))
  .refine((list) => list.length <= MOST_DEPENDENCIES, `at most ${MOST_DEPENDENCIES} dependencies`);
export const status = z.enum(STEP_STATUSES);
/** A list of its own in the schema would be paid for every turn; the refusal names what there is. */
export const filter = z
  .string()
  .default('all')
  .pipe(z.enum(['all', ...PLAN_STATUSES]));
export const confirm = z.boolean().default(false);
export const cursor = z.string().optional();
/** Bounds are checked by hand: in the published schema they would be paid for every turn. */
export const limit = (usual: number): z.ZodDefault<z.ZodInt> =>
  z
    .int()
    .refine((count) => count >= 1 && count <= 1000, '1 to 1000')
    .default(usual);

/** Published as an object only: its members are named in a few words, where their schema would cost as much as all the rest. */
const step = z
  .preprocess(
    // A text alone is a step's description.
    (given) => (typeof given === 'string' ? { description: given } : given),
    z.record(z.string(), z.unknown()),
  )
  .pipe(
    z.strictObject({
      description,
      dependencies: dependencies.default([]),
      tools: tools.default([]),
      estimate: estimate.optional(),
      assignee: assignee.optional(),
    }),
  );
export const steps = z
  .array(step)
  .refine((list) => list.length <= MOST_STEPS, `at most ${MOST_STEPS} steps`)
  .describe('{description, dependencies: [step number], tools, estimate, assignee}');
