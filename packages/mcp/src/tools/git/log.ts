// log, reflog, shortlog: what happened, newest first.
import { z } from 'zod';
import { act } from '../../local.ts';
import { filePath, moment, text } from './names.ts';
import { fitting, listPage, needItem, offsetOf, textPage } from './page.ts';
import {
  allInTree,
  checkRange,
  cursor,
  flag,
  limit,
  lookUp,
  needKnown,
  ref,
  repository,
  resolve,
  specs,
} from './params.ts';
import { open } from './repo.ts';
import { failed, type GitOutput } from './run.ts';

const FIELDS = '%H%x00%an%x00%ae%x00%aI%x00%D%x00%P%x00';

/** One commit. `message` is the subject, or the whole message where asked for; `timestamp` the author's, ISO 8601. */
export interface Commit {
  readonly hash: string;
  readonly author: string;
  readonly email: string;
  readonly timestamp: string;
  readonly message: string;
  readonly refs?: readonly string[];
  readonly parents?: readonly string[];
}

function parseCommits(output: string, whole: boolean): Commit[] {
  const words = output.split('\0');
  const commits: Commit[] = [];
  for (let i = 0; i + 6 < words.length; i += 7) {
    const [hash, author, email, timestamp, refs, parents, message] = words.slice(i, i + 7) as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    commits.push({
      hash,
      author,
      email,
      timestamp,
      message: message.trimEnd(),
      ...(refs ? { refs: refs.split(', ') } : {}),
      ...(whole || parents.includes(' ') ? { parents: parents ? parents.split(' ') : [] } : {}),
    });
  }
  return commits;
}

/** True where there is no commit to begin at. Throws git's error for any other failure. */
function isUnborn(output: GitOutput): boolean {
  if (output.code === 0) return false;
  if (/does not have any commits yet|bad default revision/.test(output.said)) return true;
  throw failed('log', output.code, output.said);
}

export const log = act({
  summary:
    'commits, newest first; oneline false: whole messages; pattern: regex on messages; graph, format or stat: as text',
  effect: 'read',
  input: z.object({
    ...repository,
    ref,
    file: filePath.optional(),
    limit,
    cursor,
    author: text.optional(),
    since: moment.optional(),
    until: moment.optional(),
    pattern: text.optional(),
    oneline: flag,
    graph: flag,
    format: text.optional(),
    stat: flag,
    all: flag,
  }),
  async run(ctx, input) {
    const repo = await open(ctx, input.path, 'read');
    const named = input.file === undefined ? [] : await allInTree(ctx, repo, [input.file], 'file');
    const range = input.ref === undefined ? [] : [await checkRange(repo, input.ref, 'ref')];
    const filters = [
      ...(input.author === undefined ? [] : [`--author=${input.author}`]),
      ...(input.since === undefined ? [] : [`--since=${input.since}`]),
      ...(input.until === undefined ? [] : [`--until=${input.until}`]),
      ...(input.pattern === undefined ? [] : ['--extended-regexp', '--regexp-ignore-case', `--grep=${input.pattern}`]),
      ...(input.all ? ['--all'] : []),
    ];
    const rest = ['--end-of-options', ...range, '--', ...specs(named)];
    const common = ['log', '--no-color', '--no-ext-diff', '--no-textconv', '--encoding=UTF-8', ...filters];
    const count = input.limit ?? 20;
    if (input.graph || input.format !== undefined || input.stat) {
      const form = [
        ...(input.format === undefined
          ? input.oneline === false
            ? []
            : ['--oneline', '--decorate']
          : [`--format=${input.format}`]),
        ...(input.graph ? ['--graph'] : []),
        ...(input.stat ? ['--stat'] : []),
      ];
      const shown = await repo.gitAtTop([...common, ...form, `--max-count=${count}`, ...rest], { accept: [128] });
      if (isUnborn(shown)) return { data: { log: '', total: 0 } };
      return textPage(ctx, 'log', shown, input.cursor, {});
    }
    const skip = offsetOf(input.cursor);
    const whole = input.oneline === false;
    const form = ['-z', `--format=${FIELDS}${whole ? '%B' : '%s'}`, '--decorate=short'];
    const pages = [`--skip=${skip}`, `--max-count=${count + 1}`];
    const shown = await repo.gitAtTop([...common, ...form, ...pages, ...rest], { accept: [128] });
    if (isUnborn(shown)) return { data: { commits: [], total: 0 } };
    const found = parseCommits(shown.text, whole);
    if (found.length === 0) {
      await needKnown(repo, named, 'file');
      if (skip > 0) {
        const counted = await repo.gitAtTop(['log', '--format=%H', ...filters, ...rest], { accept: [128] });
        needItem(skip, counted.text.split('\n').length - 1);
      }
    }
    const commits = fitting(ctx, found.slice(0, count));
    const more = commits.length < found.length;
    const end = skip + commits.length;
    // The number of all commits is only known at the end; counting a long history on every page would cost seconds.
    const total = more ? {} : { total: end };
    return {
      data: { commits, ...total },
      ...(more || skip > 0 ? { paging: { cursor: more ? String(end) : null, more, ...total } } : {}),
    };
  },
});

export const reflog = act({
  summary: 'where HEAD or a branch has been',
  effect: 'read',
  input: z.object({ ...repository, ref, limit, cursor }),
  async run(ctx, input) {
    const repo = await open(ctx, input.path, 'read');
    if (input.ref === undefined && (await lookUp(repo, 'HEAD')) === undefined)
      return { data: { entries: [], total: 0 } };
    const given = input.ref ?? 'HEAD';
    await resolve(repo, given, 'ref');
    const { text: output } = await repo.git([
      'log',
      '--walk-reflogs',
      '-z',
      '--encoding=UTF-8',
      '--format=%H%x00%gd%x00%gs',
      '--max-count=10000',
      '--end-of-options',
      given,
      '--',
    ]);
    const words = output.split('\0');
    const entries = Array.from({ length: Math.floor(words.length / 3) }, (_, i) => ({
      hash: words[3 * i],
      // By number: with log.date set, %gd would show a date.
      selector: given.includes('@') ? words[3 * i + 1] : `${given}@{${i}}`,
      message: words[3 * i + 2],
    }));
    const page = listPage(ctx, entries, input.cursor, input.limit ?? 20);
    return {
      data: { entries: page.items, total: entries.length },
      ...(page.paging ? { paging: page.paging } : {}),
    };
  },
});

export const shortlog = act({
  summary: 'authors by number of commits',
  effect: 'read',
  input: z.object({ ...repository, ref, since: moment.optional(), until: moment.optional(), all: flag, limit, cursor }),
  async run(ctx, input) {
    const repo = await open(ctx, input.path, 'read');
    if (input.ref === undefined && !input.all && (await lookUp(repo, 'HEAD')) === undefined) {
      return { data: { authors: [], total: 0 } };
    }
    const range = input.ref === undefined ? (input.all ? [] : ['HEAD']) : [await checkRange(repo, input.ref, 'ref')];
    const { text: output } = await repo.git([
      'shortlog',
      '--summary',
      '--numbered',
      '--email',
      ...(input.since === undefined ? [] : [`--since=${input.since}`]),
      ...(input.until === undefined ? [] : [`--until=${input.until}`]),
      ...(input.all ? ['--all'] : []),
      '--end-of-options',
      ...range,
      '--',
    ]);
    const authors = output.split('\n').flatMap((line) => {
      const [, commits, name, email] = /^\s*(\d+)\t(.*) <(.*)>$/.exec(line) ?? [];
      return commits === undefined ? [] : [{ commits: Number(commits), name, email }];
    });
    const page = listPage(ctx, authors, input.cursor, input.limit ?? 20);
    return {
      data: { authors: page.items, total: authors.length },
      ...(page.paging ? { paging: page.paging } : {}),
    };
  },
});
