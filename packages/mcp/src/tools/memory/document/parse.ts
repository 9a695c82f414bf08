// The documented JSON file (contract, local core tools 5.10.2) as a value: entries and facts of every known shape, checked one by one.
import { fold } from '../../../lib/fold.ts';
import {
  DEFAULT,
  isTime,
  key as keyOf,
  kb as kbOf,
  namespace as namespaceOf,
  tag as tagOf,
  value as valueOf,
} from '../params.ts';
import type { Draft } from '../entries.ts';

export interface FactDraft {
  readonly kb: string;
  readonly content: string;
  readonly tags: readonly string[];
  readonly created: string | undefined;
}

export interface Parsed {
  readonly entries: readonly Draft[];
  readonly facts: readonly FactDraft[];
  readonly kbs: readonly string[];
  /** what was left out or changed, in words */
  readonly problems: readonly string[];
}

type Unknown = ReadonlyMap<string, unknown>;

/** Reads a document. Throws a sentence when it is no memory document at all. */
export function parseDocument(document: unknown): Parsed {
  const problems: string[] = [];
  if (Array.isArray(document)) return { entries: drafts(document, problems), facts: [], kbs: [], problems };
  const root = asMap(document);
  const lists = ['entries', 'facts', 'knowledgeBases'].filter((name) => root?.has(name));
  if (!root || lists.length === 0) {
    throw new Error('it is neither a list of entries nor an object with entries or facts');
  }
  for (const name of lists) {
    if (!Array.isArray(root.get(name))) throw new Error(`its '${name}' is not a list`);
  }
  const list = (name: string): unknown[] => (root.get(name) as unknown[] | undefined) ?? [];
  return {
    entries: drafts(list('entries'), problems),
    facts: list('facts').flatMap((each, i) => fact(each, i, problems)),
    kbs: list('knowledgeBases').flatMap((each) =>
      usable(kbOf, asMap(each)?.get('name') ?? asMap(each)?.get('id') ?? each),
    ),
    problems,
  };
}

/** A map from key to value as entries of one namespace; a value that is no text is kept as JSON. */
export function parseMap(map: Readonly<Record<string, unknown>>, namespace: string): Parsed {
  const problems: string[] = [];
  const entries = Object.entries(map).flatMap(([key, value]) =>
    draft(
      new Map<string, unknown>([
        ['key', key],
        ['value', value],
        ['namespace', namespace],
      ]),
      key,
      problems,
    ),
  );
  return { entries, facts: [], kbs: [], problems };
}

function drafts(list: readonly unknown[], problems: string[]): Draft[] {
  return list.flatMap((each, i) => {
    const map = asMap(each);
    if (map) return draft(map, `entry ${i}`, problems);
    problems.push(`entry ${i} is no object`);
    return [];
  });
}

function draft(from: Unknown, where: string, problems: string[]): Draft[] {
  const [key] = usable(keyOf, from.get('key') ?? from.get('id'));
  const [namespace] = usable(namespaceOf, from.get('namespace') ?? from.get('scope') ?? DEFAULT);
  const given = from.has('value') ? from.get('value') : from.get('content');
  const value = valueOf.safeParse(typeof given === 'string' ? given : (JSON.stringify(given) ?? undefined));
  if (key === undefined || namespace === undefined || !value.success) {
    const what = key === undefined ? 'key' : namespace === undefined ? 'namespace' : 'value';
    problems.push(`${where} has no usable ${what}`);
    return [];
  }
  const ttl = from.get('ttl') ?? undefined;
  const expires = typeof ttl === 'string' && isTime(ttl) ? ttl : undefined;
  if (ttl !== undefined && expires === undefined)
    problems.push(`${where} had a ttl that is no date; it does not expire`);
  const metadata = asMap(from.get('metadata'));
  return [
    {
      namespace,
      key,
      value: value.data,
      tags: tagsIn(from),
      ...(metadata ? { metadata: Object.fromEntries(metadata) } : {}),
      ...(expires === undefined ? {} : { ttl: expires }),
      created: time(from.get('created')),
      updated: time(from.get('updated')) ?? time(from.get('created')),
    },
  ];
}

/** Both shapes: `{content, kb, tags}` and `{content, kb_name, scope}`. */
function fact(each: unknown, i: number, problems: string[]): FactDraft[] {
  const from = asMap(each);
  const content = from?.get('content');
  if (!from || typeof content !== 'string' || fold(content).trim() === '' || !content.isWellFormed()) {
    problems.push(`fact ${i} has no content`);
    return [];
  }
  const [kb = DEFAULT] = usable(kbOf, from.get('kb') ?? from.get('kb_name') ?? DEFAULT);
  const scope = usable(tagOf, from.get('scope')).map((each_) => `scope:${each_}`);
  return [{ kb, content, tags: [...tagsIn(from), ...scope], created: time(from.get('created')) }];
}

function tagsIn(from: Unknown): string[] {
  const given = from.get('tags');
  return Array.isArray(given) ? given.flatMap((each) => usable(tagOf, each)).slice(0, 64) : [];
}

/** The name, if the parameter takes it; a number counts as its digits. */
function usable(
  schema: { safeParse(given: unknown): { success: boolean; data?: string | undefined } },
  given: unknown,
): string[] {
  const { success, data } = schema.safeParse(typeof given === 'number' ? String(given) : given);
  return success && data !== undefined ? [data] : [];
}

/** A time as it is kept: ISO 8601 in UTC. */
function time(given: unknown): string | undefined {
  return typeof given === 'string' && isTime(given) ? new Date(given).toISOString() : undefined;
}

function asMap(given: unknown): Unknown | undefined {
  return typeof given === 'object' && given !== null && !Array.isArray(given)
    ? new Map(Object.entries(given))
    : undefined;
}
