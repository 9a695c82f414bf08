// Parameters that the actions of this tool share; what is described here is published once.
import { z } from 'zod';

/** A file or a directory; where it may be left out the working directory, or `text`, is meant. */
export const uri = z.string().optional();
/** Source text instead of a file. */
export const text = z.string().optional();
/** Language of `text`, or of a file whose name does not tell. */
export const language = z.string().optional();
export const pattern = z.string().optional().describe('file glob');
export const cursor = z.string().optional();
/** Most items of an answer. The bound is not published: only a mistake meets it. */
export const limit = (otherwise: number) =>
  z
    .int()
    .refine((value) => value >= 1 && value <= 1000, 'is from 1 to 1000')
    .default(otherwise);
/** From 1. */
export const line = z
  .int()
  .refine((value) => value >= 1, 'counts from 1')
  .optional();
/** From 0, in UTF-16 units. */
export const col = z
  .int()
  .refine((value) => value >= 0, 'counts from 0')
  .optional();
