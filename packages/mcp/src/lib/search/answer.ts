// What a page of hits says beside the hits: where the next page is, and in sentences what is not in the list.
import type { Found, Skipped } from '@hanzo/search';
import type { Paging } from '@hanzo/tool';
import { toUri } from '../path.ts';
import type { Listed } from './ask.ts';
import type { Rendered } from './page.ts';

/** Files that are named with the reason why they were not searched. */
const NAMED = 20;

/** `total`, `partial`, `skipped` and `note`, as far as there is something to say. `narrow` names what narrows the search. */
export function remarks({ found, renewed }: Listed, page: Rendered, narrow: string): Record<string, unknown> {
  const large = found.skipped.filter(({ reason }) => reason.startsWith('larger than'));
  const unread = found.skipped.filter((each) => !large.includes(each));
  const notes = [
    ...(found.partial ? [`stopped at the time limit, there may be more; narrow it by ${narrow}`] : []),
    ...(large.length > 0 ? [`${large.length} files over 16 MiB were left out; give one as uri to search it`] : []),
    ...(unread.length > 0 ? [`${unread.length} could not be read, or not to the end; see skipped`] : []),
    ...(renewed ? ['the tree has changed since the page before; this is the list as it is now'] : []),
    ...(page.changed ? ['a file changed since it was searched'] : []),
  ];
  return {
    ...(found.partial ? { partial: true } : {}),
    ...(unread.length > 0 ? { skipped: unread.slice(0, NAMED).map(told) } : {}),
    ...(notes.length > 0 ? { note: notes.join('; ') } : {}),
  };
}

const told = ({ file, reason }: Skipped): { uri: string; reason: string } => ({ uri: toUri(file), reason });

export function paging(found: Found, page: Rendered): Paging {
  const more = page.next < found.total;
  return { cursor: more ? String(page.next) : null, more, total: found.total };
}
