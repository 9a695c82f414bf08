// Parameters that the actions of this tool share.
import { z } from 'zod';

export const inFolder = z.string().optional().describe('folder; default: working directory');
/** Part of a name, in any case. */
export const filter = z.string().optional().describe('part of a name');
export const cursor = z.string().optional();
export const limit = z
  .int()
  .refine((value) => value >= 1 && value <= 1000, 'is from 1 to 1000')
  .default(200);
