// The parameters that the actions share, and the bounds they have.
import { z } from 'zod';

/** The namespace of entries stored without one. */
export const DEFAULT = 'default';
/** As a namespace: all of them. */
export const ALL = '*';

export const MOST_VALUE = 1_000_000;
const MOST_METADATA = 16_384;

const wellFormed = (text: string): boolean => text.isWellFormed();
const broken = 'holds half of a surrogate pair';

/** A name shown on one line. NFC, so that one name written in two ways is one name. */
const name = (most: number): z.ZodString =>
  z
    .string()
    .normalize('NFC')
    .min(1)
    .refine((text) => text.length <= most, `at most ${most} characters`)
    .refine((text) => !/\p{Cc}/u.test(text), 'holds a control character or a line end')
    .refine(wellFormed, broken);

export const key = name(512);
export const value = z
  .string()
  .refine((text) => text.length <= MOST_VALUE, `at most ${MOST_VALUE} characters`)
  .refine(wellFormed, broken);
export const query = z
  .string()
  .refine((text) => text.length <= 1000, 'at most 1000 characters')
  .refine(wellFormed, broken);
export const tag = name(128);
export const tags = z.array(tag).refine((list) => list.length <= 64, 'at most 64 tags');
/** where something is written */
export const namespace = name(256)
  .refine((text) => text !== ALL, `'${ALL}' stands for all namespaces; name one`)
  .default(DEFAULT);
/** where something is looked for, or removed */
export const within = name(256).optional();
export const metadata = z
  .record(z.string(), z.unknown())
  .refine((object) => JSON.stringify(object).length <= MOST_METADATA, `at most ${MOST_METADATA} characters as JSON`);
export const ttl = z
  .string()
  .refine((text) => isTime(text) || text === NEVER, 'give an ISO date or time, such as 2027-01-31, or never')
  .describe('ISO date');
/** Bounds are checked by hand: in the published schema they would be paid for every turn. */
export const limit = z
  .int()
  .refine((count) => count >= 1 && count <= 1000, '1 to 1000')
  .default(50);
export const cursor = z.string().optional();
export const kb = name(256);
export const append = z.boolean().default(false);

/** As a ttl: the entry does not expire (any more). */
export const NEVER = 'never';

const ISO =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?$/;

/** True for a date or a time as ISO 8601 writes them that is one of the calendar. */
export function isTime(text: string): boolean {
  if (!ISO.test(text)) return false;
  const day = text.slice(0, 10);
  // A day that is not there (30 February) would count as one of the next month.
  const real = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(real.getTime()) && real.toISOString().startsWith(day) && !Number.isNaN(Date.parse(text));
}

/** Milliseconds since 1970 of a time that `isTime` accepts; a date begins at midnight UTC, a time without zone is UTC. */
export function timeOf(text: string): number {
  const zoned = text.length === 10 || /(?:Z|[+-]\d\d:?\d\d)$/.test(text.slice(10));
  return Date.parse(zoned ? text : `${text.replace(' ', 'T')}Z`);
}
