// An entry as the lists of memory have it.
import type { Item } from '../../lib/page.ts';
import { type Entry, tagsOf } from './entries.ts';

/** An entry as JSON, with `shown` in the place of its value. */
export function toJson(entry: Entry, shown = entry.value): Record<string, unknown> {
  return {
    key: entry.key,
    namespace: entry.namespace,
    tags: tagsOf(entry),
    created: entry.created,
    updated: entry.updated,
    ...(entry.ttl === null ? {} : { ttl: entry.ttl }),
    ...(entry.metadata === null ? {} : { metadata: JSON.parse(entry.metadata) as unknown }),
    length: entry.value.length,
    value: shown,
  };
}

/** An entry in a list: `[namespace] key #tag (updated ..., 12 characters)`, then its value or what `shown` gives of it. */
export function toItem(entry: Entry, shown?: string): Item {
  const tags = tagsOf(entry)
    .map((tag) => ` #${tag}`)
    .join('');
  const facts = [
    `updated ${entry.updated}`,
    ...(entry.ttl === null ? [] : [`ttl ${entry.ttl}`]),
    ...(shown === undefined || shown === entry.value ? [] : [`${entry.value.length} characters`]),
  ];
  const metadata = entry.metadata === null ? '' : `\n${entry.metadata}`;
  return {
    json: toJson(entry, shown),
    long: 'value',
    head: `[${entry.namespace}] ${entry.key}${tags} (${facts.join(', ')})${metadata}`,
  };
}
