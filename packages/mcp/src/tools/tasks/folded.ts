// What search looks in: the texts of an item, folded once, when they are written.
import { fold } from '../../lib/fold.ts';

/** What search finds an item by. */
export interface Searched {
  readonly content: string;
  /** a JSON list */
  readonly tags: string;
  readonly project: string | null;
  readonly assignee: string | null;
}

/** Content, tags, project and assignee, a line each. */
export function foldedOf({ content, tags, project, assignee }: Searched): string {
  return fold([content, ...(JSON.parse(tags) as string[]), project ?? '', assignee ?? ''].join('\n'));
}
