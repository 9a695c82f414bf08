// What search looks in: the texts of an item, folded once, when they are written.
import { fold } from '../../lib/fold.ts';
import type { Item } from './items.ts';

/** Content, tags, project and assignee, a line each. */
export function foldedOf({
  content,
  tags,
  project,
  assignee,
}: Pick<Item, 'content' | 'tags' | 'project' | 'assignee'>): string {
  return fold([content, ...(JSON.parse(tags) as string[]), project ?? '', assignee ?? ''].join('\n'));
}
