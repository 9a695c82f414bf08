// A parameter that actions of this tool share.
import { z } from 'zod';

/** A whole number in a range. The range is not published: only a mistake meets it. */
export const whole = (from: number, to: number): z.ZodInt =>
  z
    .int()
    .refine(
      (value) => value >= from && value <= to,
      to === Number.MAX_SAFE_INTEGER ? `is at least ${from}` : `is from ${from} to ${to}`,
    );
