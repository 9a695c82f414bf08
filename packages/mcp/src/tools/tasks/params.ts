// The parameters that the actions share, and the bounds they have.
import { z } from 'zod';
import { dueOf } from './due.ts';

export const STATUSES = ['pending', 'in_progress', 'completed', 'cancelled'] as const;
export const PRIORITIES = ['high', 'medium', 'low'] as const;
const SORTS = ['priority', 'due', 'created', 'status'] as const;

export type Status = (typeof STATUSES)[number];
export type Priority = (typeof PRIORITIES)[number];
export type Sort = (typeof SORTS)[number];

/** Items in all, archived ones included. */
export const MOST_ITEMS = 100_000;
/** Levels of the tree. */
export const MOST_LEVELS = 32;
/** Characters of what was noted on one item. */
export const MOST_NOTES = 100_000;
/** Ids of one call. */
const MOST_IDS = 1000;

/** Other runtimes' words for a status. */
const WORDS: ReadonlyMap<unknown, Status> = new Map<unknown, Status>([
  ['done', 'completed'],
  ['complete', 'completed'],
  ['in-progress', 'in_progress'],
  ['todo', 'pending'],
  ['canceled', 'cancelled'],
]);

const text = (most: number): z.ZodType<string, string> =>
  z
    .string()
    .transform((given) => given.replaceAll(/\r\n?/g, '\n').trim())
    .pipe(
      z
        .string()
        .refine((given) => given.length <= most, `at most ${most} characters`)
        // oxlint-disable-next-line no-control-regex -- all but tab and line feed
        .refine((given) => !/[\x00-\x08\x0b-\x1f\x7f]/.test(given), 'holds a control character')
        .refine((given) => given.isWellFormed(), 'holds half of a surrogate pair'),
    );

const notEmpty = (schema: z.ZodType<string, string>): z.ZodType<string, string> =>
  schema.refine((given) => given !== '', 'is empty');

/** Shown on one line; NFC, so that one name written in two ways is one name. Empty is none. */
const name = (most: number): z.ZodType<string, string> =>
  text(most)
    .refine((given) => !/\p{Cc}/u.test(given), 'holds a line end')
    .transform((given) => given.normalize('NFC'));

const digits = <S extends z.ZodType>(schema: S): z.ZodPreprocess<S> =>
  z.preprocess((given) => (typeof given === 'number' ? String(given) : given), schema);

/** `#3` is 3. */
const number = z.string().transform((given, ctx) => {
  const [, found] = /^#?(\d{1,15})$/.exec(given.trim()) ?? [];
  if (found !== undefined) return Number(found);
  ctx.addIssue('is no number of a task');
  return z.NEVER;
});

export const content = notEmpty(text(2000));
export const note = notEmpty(text(20_000));
export const status = z.preprocess((given) => WORDS.get(given) ?? given, z.enum(STATUSES));
export const priority = z.enum(PRIORITIES);
export const project = name(200);
export const assignee = name(200);
export const tag = notEmpty(name(100));
export const tags = z
  .array(tag)
  .refine((list) => list.length <= 32, 'at most 32 tags')
  .transform((list) => [...new Set(list)]);
/** Empty is none. */
export const due = z
  .string()
  .refine(
    (given) => given === '' || dueOf(given) !== undefined,
    'give an ISO date or time, such as 2027-01-31 or 2027-01-31T17:00Z',
  )
  .describe('ISO date');
export const id = digits(number);
export const ids = z.array(digits(number)).refine((list) => list.length <= MOST_IDS, `at most ${MOST_IDS} ids`);
/** 0 is the top of the tree. */
export const parent = digits(number).describe('id; 0: top level');
export const query = notEmpty(text(1000));
export const archived = z.boolean();
export const confirm = z.boolean().default(false);
export const cursor = z.string().optional();
/** A list of its own in the schema would be paid for every turn; the refusal names what there is. */
export const sort = z.string().default('priority').pipe(z.enum(SORTS));
/** Bounds are checked by hand: in the published schema they would be paid for every turn. */
export const limit = (usual: number): z.ZodDefault<z.ZodInt> =>
  z
    .int()
    .refine((count) => count >= 1 && count <= 1000, '1 to 1000')
    .default(usual);
