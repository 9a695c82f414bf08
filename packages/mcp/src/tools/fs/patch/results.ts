// The list of what each file of a patch came to, cut to the room an answer has.
import { shorten } from '@hanzo/tool';
import type { Result } from '../../../lib/edits/patch/plan.ts';

/** Room an answer leaves for what is around its list. */
const ENVELOPE_BYTES = 1000;
/** Characters shown of a name: as long as a path can be. */
const NAME_CHARACTERS = 4096;

/** The list as `data` shows it; `note` says how many were left out, and what a killed server left in these folders. */
export interface Shown {
  readonly results: readonly Result[];
  readonly total: number;
  readonly failed?: number;
  readonly note?: string;
}

/**
 * As many results as fit into `room` UTF-8 bytes, in their order: failed ones before others, at least one. `left` are the
 * paths that an unfinished patch had put aside.
 */
export function fitting(results: readonly Result[], room: number, left: readonly string[] = []): Shown {
  const failed = results.filter((each) => !each.success).length;
  const counts = { total: results.length, ...(failed > 0 ? { failed } : {}) };
  let free = room - ENVELOPE_BYTES;
  const kept = new Set<number>();
  const wanted = [...results.keys()].sort((a, b) => Number(results[a]!.success) - Number(results[b]!.success) || a - b);
  for (const i of wanted) {
    free -= Buffer.byteLength(JSON.stringify(results[i])) + 1;
    if (free < 0 && kept.size > 0) break;
    kept.add(i);
  }
  const shown = results.flatMap((each, i) =>
    kept.has(i) ? [{ ...each, path: shorten(each.path, NAME_CHARACTERS) }] : [],
  );
  const first = failed > 0 ? ', those that failed first' : '';
  const notes = [
    ...(shown.length < results.length ? [`${shown.length} of ${results.length} results are shown${first}`] : []),
    ...(left.length > 0 ? [unfinished(left)] : []),
  ];
  return { results: shown, ...counts, ...(notes.length > 0 ? { note: notes.join('; ') } : {}) };
}

function unfinished(left: readonly string[]): string {
  const more = left.length > 1 ? ` and ${left.length - 1} more` : '';
  return `a server that was killed amid a patch left ${left[0]}${more}, what that patch was deleting: look, then mv or rm`;
}
