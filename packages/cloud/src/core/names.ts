// What agents are offered: which operations, grouped by app, and under which verb phrases (contract, tool plane 4).
import type { Method, Op } from './op.ts';
import { isWithheld } from './withheld.ts';

export interface Offered {
  readonly op: Op;
  /** the verb phrase, or the id where a phrase would be shared */
  readonly name: string;
}

export interface Surface {
  /** in the order of their names, each with its operations in theirs; apps without one are left out */
  readonly apps: ReadonlyMap<string, readonly Offered[]>;
  /** by phrase and by id */
  find(name: string): Offered | undefined;
  /** operations kept back by the rule of withheld.ts */
  readonly refused: number;
}

const VERBS: Readonly<Record<Method, string>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'set',
  PATCH: 'update',
  DELETE: 'delete',
};

/**
 * What agents may be offered of these operations: not operators' ones, not what needs no credential (it is there for
 * everybody anyway), not what is withheld.
 */
export function surfaceOf(ops: readonly Op[]): Surface {
  const candidates = ops.filter(({ internal, auth }) => !internal && auth !== 'none');
  const open = candidates.filter(({ id, discloses }) => !discloses && !isWithheld(id));
  const phrases = phrasesOf(ops);
  const apps = new Map<string, Offered[]>();
  const byName = new Map<string, Offered>();
  for (const op of [...open].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const offered: Offered = { op, name: phrases.get(op.id) ?? op.id };
    byName.set(op.id, offered).set(offered.name, offered);
    apps.set(op.app, [...(apps.get(op.app) ?? []), offered]);
  }
  const named = [...apps].map(([app, list]) => [app, list.sort((a, b) => (a.name < b.name ? -1 : 1))] as const);
  return {
    apps: new Map(named.sort(([a], [b]) => (a < b ? -1 : 1))),
    find: (name) => byName.get(name),
    refused: candidates.length - open.length,
  };
}

/** Each operation's phrase by its id; the id itself where two would have the same phrase. */
export function phrasesOf(ops: readonly Op[]): ReadonlyMap<string, string> {
  const count = new Map<string, number>();
  for (const op of ops) count.set(phraseOf(op), (count.get(phraseOf(op)) ?? 0) + 1);
  const ids = new Set(ops.map(({ id }) => id));
  return new Map(
    ops.map((op) => {
      const phrase = phraseOf(op);
      // an id always means its own operation
      return [op.id, count.get(phrase) === 1 && !(ids.has(phrase) && phrase !== op.id) ? phrase : op.id];
    }),
  );
}

function phraseOf({ method, path }: Op): string {
  const segments = path.split('/').filter((each) => each !== '' && each !== 'v1');
  const words = segments.filter((each) => !isParameter(each)).map((each) => each.replaceAll('-', '_'));
  const last = words.length - 1;
  const tail = segments.at(-1);
  // `/v1/flows/{id}/run`: what is done to the one thing
  if (method === 'POST' && segments.length > 2 && !isParameter(tail) && isParameter(segments.at(-2))) {
    return `${words[last]}_${bare(words.slice(0, last))}`;
  }
  if (method === 'GET' && !isParameter(tail)) {
    if (words.length === 1) return `list_${plural(words[0] as string)}`;
    const word = words[last] as string;
    if (singular(word) !== word) return `list_${bare(words.slice(0, last))}_${word}`;
  }
  return `${VERBS[method]}_${bare(words)}`;
}

function isParameter(segment: string | undefined): boolean {
  return segment?.startsWith('{') === true;
}

/** Singular but for the app's own word, which is a name. */
function bare(words: readonly string[]): string {
  return words.map((word, at) => (at === 0 ? word : singular(word))).join('_');
}

function singular(word: string): string {
  if (/(?:ss|us|is|ms)$/.test(word) || !word.endsWith('s')) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return /(?:ch|sh|x|ss)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

function plural(word: string): string {
  return word.endsWith('s') ? word : /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
}

/** The catalog file: what an agent can name, by app (contract, cloud clients 9.1). Ends in a line end. */
export function catalogOf(ops: readonly Op[]): string {
  const entries = [...surfaceOf(ops).apps].map(([app, list]) => [app, { ops: list.map(({ op }) => op.id).sort() }]);
  return `${JSON.stringify(Object.fromEntries(entries), undefined, 1)}\n`;
}
