// One query made ready: what it looks for, where, and under which name its list is kept. Reads nothing but the stat of its path.
import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { makeSpec } from '../match/spec.ts';
import { makePlan } from '../plan/plan.ts';
import type { Plan } from '../plan/types.ts';
import { parsePattern } from '../syntax/parse.ts';
import { type Query, SearchError, type SymbolQuery } from '../types.ts';
import type { How } from './job.ts';

export interface Prepared {
  readonly key: string;
  readonly how: How;
  readonly plan: Plan;
  /** in which directory below the root, '' for all; undefined if a file is named */
  readonly directory: string | undefined;
  /** absolute path of the file that is named */
  readonly file: string | undefined;
  readonly globs: readonly string[];
}

/** What holds for every query of an engine. */
export interface Settings {
  readonly root: string;
  readonly maxFileBytes: number;
  readonly withhold: string | undefined;
}

const PATTERN_CHARACTERS = 10_000;

export function prepare(query: Query, settings: Settings, symbol?: string): Prepared {
  if (query.pattern.length > PATTERN_CHARACTERS) {
    throw new SearchError('PATTERN', `the pattern is longer than ${PATTERN_CHARACTERS} characters`, PATTERN_CHARACTERS);
  }
  const options = {
    literal: query.literal === true,
    ignoreCase: query.ignoreCase === true,
    word: query.word === true,
    multiline: query.multiline === true,
  };
  const hir = parsePattern(query.pattern, options);
  const key = JSON.stringify([query.pattern, ...Object.values(options), symbol]);
  const globs = query.globs ?? [];
  const place = placeOf(settings.root, query.path);
  return {
    key: JSON.stringify([key, globs, place.file ?? place.directory]),
    how: {
      key,
      spec: makeSpec(hir, options),
      root: settings.root === '/' ? '' : settings.root,
      maxFileBytes: settings.maxFileBytes,
      withhold: settings.withhold,
      symbol,
      globs: undefined,
    },
    plan: makePlan(hir, options),
    globs,
    ...place,
  };
}

/** A symbol as a query: its name as text, between word boundaries. */
export function symbolQuery(query: SymbolQuery, globs: readonly string[]): Query {
  const { name, path: where } = query;
  if (name === '' || /[\n\0]/.test(name)) throw new SearchError('PATTERN', 'a symbol is a name of one line', 0);
  return {
    pattern: name,
    literal: true,
    word: true,
    globs,
    ...(where === undefined ? {} : { path: where }),
  };
}

/** Where a query's path leads. */
export function placeOf(
  root: string,
  where: string | undefined,
): { directory: string | undefined; file: string | undefined } {
  if (where === undefined) return { directory: '', file: undefined };
  const stat = statSync(where, { throwIfNoEntry: false });
  if (!stat) throw new SearchError('NOT_FOUND', `${where} is not there`);
  if (!stat.isDirectory()) return { directory: undefined, file: path.resolve(where) };
  const relative = path.relative(root, realpathSync(where));
  if (relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative)) {
    throw new SearchError('NOT_FOUND', `${where} is not below ${root}`);
  }
  return { directory: relative.split(path.sep).join('/'), file: undefined };
}
