// Parameters that several actions share; what is described here is published once.
import { shorten, ToolError } from '@hanzo/tool';
import { z } from 'zod';

export const uri = z.string().describe('absolute path');
export const baseHash = z.string().describe('hash from read');
export const cursor = z.string().optional().describe('from paging');

/** The offset a cursor stands for; INVALID_PARAMS for anything that is not one this tool gave. */
export function readCursor(given: string | undefined, total: number): number {
  if (given === undefined) return 0;
  const offset = /^\d{1,15}$/.test(given) ? Number(given) : -1;
  if (offset >= 0 && offset <= total) return offset;
  const why = offset < 0 ? 'is not a cursor' : `is past the end; ${total} in all`;
  throw new ToolError(
    'INVALID_PARAMS',
    `'cursor' ${JSON.stringify(shorten(given, 40))} ${why}; pass paging.cursor as it was given`,
    {
      param: 'cursor',
      total,
    },
  );
}
