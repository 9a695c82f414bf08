// Cursors that are offsets into one ordered list.
import { shorten, ToolError } from '@hanzo/tool';

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
