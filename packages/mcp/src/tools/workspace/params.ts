// Parameters that the actions of this tool share.
import { z } from 'zod';

/** Default: the working directory. */
export const inFolder = z.string().optional();
/** Part of a name, in any case. */
export const filter = z.string().optional();
export const cursor = z.string().optional();
export const limit = z
  .int()
  .refine((value) => value >= 1 && value <= 1000, 'is from 1 to 1000')
  .default(200);
