// references: every line where a name stands as code; strings and comments do not count.
import path from 'node:path';
import type { ActionResult } from '@hanzo/tool';
import { z } from 'zod';
import { toUri } from '../../lib/path.ts';
import { act } from '../../local.ts';
import { answer, type Item, pageOf } from './page.ts';
import { cursor, limit, pattern, uri } from './params.ts';
import { type Mention, type Mentions, mentionsOf } from './project.ts';
import { nameOf, placeOf } from './source.ts';

/** Faulty files that are named. */
const NAMED = 10;

export const references = act({
  summary: 'uses of a name as code, definitions marked; not in strings or comments',
  effect: 'read',
  input: z.strictObject({ query: z.string(), uri, pattern, cursor, max_results: limit(30) }),
  async run(ctx, input): Promise<ActionResult> {
    const place = await placeOf(ctx, input.uri);
    const name = nameOf(ctx, input.query);
    const { mentions, renewed } = await mentionsOf(ctx, place, name, input.pattern, input.cursor !== undefined);
    const base = place.directory ? place.file : path.dirname(place.file);
    const page = pageOf(
      ctx,
      mentions.list.map((each) => mentionItem(each, base)),
      { key: 'references', cursor: input.cursor, limit: input.max_results },
    );
    return answer(page, {
      query: name,
      uri: toUri(place.file),
      total: mentions.list.length,
      definitions: mentions.definitions,
      ...remarks(mentions, renewed),
    });
  },
});

function mentionItem({ file, line, text, type, role }: Mention, base: string): Item {
  const mark = type === 'definition' ? ' (definition)' : role === 'import' ? ' (import)' : '';
  return {
    group: path.relative(base, file) || path.basename(file),
    text: `${line}${mark}:${text}`,
    json: { uri: toUri(file), line, text, type, ...(role === undefined ? {} : { role }) },
  };
}

function remarks({ partial, left, untold, faulty }: Mentions, renewed: boolean): Record<string, unknown> {
  const notes = [
    ...(left > 0 ? [`stopped at the time limit before ${left} files; narrow it by uri or pattern`] : []),
    ...(partial && left === 0 ? ['the search stopped at its time limit; narrow it by uri or pattern'] : []),
    ...(untold > 0 ? [`in ${untold} files, whose language has no grammar here, lines count as they read`] : []),
    ...(renewed ? ['the tree has changed since the page before; this is the list as it is now'] : []),
    ...(faulty.length > 0 ? ['files with syntax errors are in errors; around those something may be missing'] : []),
  ];
  return {
    ...(partial ? { partial: true } : {}),
    ...(faulty.length > 0
      ? { errors: faulty.slice(0, NAMED).map(({ file, line }) => ({ uri: toUri(file), line })) }
      : {}),
    ...(notes.length > 0 ? { note: notes.join('; ') } : {}),
  };
}
