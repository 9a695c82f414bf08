// Parameters that the changing actions share.
import { z } from 'zod';

/** Writes; without it the answer is a patch that `fs patch` applies. */
export const apply = z.boolean().default(false);
/** An expression or structure, or the name of a symbol, at most 4,000 characters. */
export const query = z.string().max(4000);
export const newName = z.string().max(500);
/** What is put instead, as it stands. */
export const replacement = z.string().max(100_000);
