// blame: the lines of a file, each with the commit it comes from.
import { type ActionResult, shorten, ToolError, utf8Length } from '@hanzo/tool';
import { z } from 'zod';
import { act } from '../../local.ts';
import { filePath } from './names.ts';
import { jsonSize, LONGEST_SUBJECT, textPage } from './page.ts';
import { cursor, inTree, needKnown, ref, repository, resolve } from './params.ts';
import { open } from './repo.ts';

interface Origin {
  readonly hash: string;
  author: string;
  time: number;
  message: string;
  from?: string;
}

/** Parses `git blame --porcelain` (git-blame(1)) into origins by hash and lines `hash8 number text`. */
export function parseBlame(output: string): { origins: Map<string, Origin>; text: string } {
  const origins = new Map<string, Origin>();
  const lines: string[] = [];
  let origin: Origin | undefined;
  let number = '';
  for (const line of output.split('\n')) {
    if (line.startsWith('\t')) {
      if (origin) lines.push(`${origin.hash.slice(0, 8)} ${number} ${line.slice(1)}\n`);
      continue;
    }
    const [, hash, final] = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(line) ?? [];
    if (hash !== undefined) {
      number = final as string;
      origin = origins.get(hash) ?? { hash, author: '', time: 0, message: '' };
      origins.set(hash, origin);
    } else if (origin) {
      const cut = line.indexOf(' ');
      const value = line.slice(cut + 1);
      const field = line.slice(0, cut);
      if (field === 'author') origin.author = value;
      else if (field === 'author-time') origin.time = Number(value);
      else if (field === 'summary') origin.message = value;
      else if (field === 'filename') origin.from = value;
    }
  }
  return { origins, text: lines.join('') };
}

/** `10,20`, `10-20`, `10`, `10,+5`: as git's -L understands it. */
function range(lines: string): string {
  const [, from, plus, to] = /^(\d{1,9})(?:[,:-](\+?)(\d{1,9}))?$/.exec(lines.trim()) ?? [];
  if (from === undefined || Number(from) === 0 || (to !== undefined && plus === '' && Number(to) < Number(from))) {
    throw new ToolError(
      'INVALID_PARAMS',
      `'lines': '${shorten(lines, 40)}' is no range; write 10,20 (1-based, both included)`,
      {
        param: 'lines',
      },
    );
  }
  return to === undefined ? `${from},${from}` : `${from},${plus}${to}`;
}

export const blame = act({
  summary: 'each line of file as "hash line text"; lines: "10,20"; ref: as of a commit',
  effect: 'read',
  input: z.object({ ...repository, file: filePath, lines: z.string().optional(), ref, cursor }),
  async run(ctx, input) {
    const repo = await open(ctx, input.path, 'read');
    const file = await inTree(ctx, repo, input.file, 'file');
    const at = input.ref === undefined ? (repo.top === null ? 'HEAD' : undefined) : input.ref;
    const args = [
      'blame',
      '--porcelain',
      '--no-textconv',
      '--encoding=UTF-8',
      ...(input.lines === undefined ? [] : ['-L', range(input.lines)]),
      ...(at === undefined ? [] : [await resolve(repo, at, 'ref')]),
      '--',
      file,
    ];
    const output = await repo.gitAtTop(args).catch(async (error: unknown) => {
      if (!(error instanceof ToolError) || !/^fatal: no such path|^fatal: Cannot lstat/i.test(error.message))
        throw error;
      await needKnown(repo, [file], 'file');
      throw new ToolError('NOT_FOUND', `'file': ${file} is not in ${at ?? 'HEAD'}; log with file shows its commits`, {
        param: 'file',
        ref: at ?? 'HEAD',
      });
    });
    const { origins, text } = parseBlame(output.text);
    const page = (room: number): { result: ActionResult; commits: Commit[]; size: number } => {
      const result = textPage(ctx, 'blame', { text, truncated: output.truncated }, input.cursor, { path: file }, room);
      const body = result.bodies?.[0]?.kind === 'text' ? result.bodies[0].text : '';
      const shown = new Set(body.match(/^[0-9a-f]{8}(?= \d)/gm));
      const commits = [...origins.values()]
        .filter((each) => shown.has(each.hash.slice(0, 8)))
        .map((each) => told(each, file));
      return { result, commits, size: utf8Length(body) + jsonSize(commits) };
    };
    // Lines and their commits share the answer: as many lines as leave room for every commit they come from.
    let best = page(ctx.maxOutput);
    if (best.size > ctx.maxOutput) {
      let [most, least] = [ctx.maxOutput, 0];
      best = page(Math.min(ctx.maxOutput, 32));
      while (most - least > Math.max(1, ctx.maxOutput / 256)) {
        const room = Math.floor((most + least) / 2);
        const next = page(room);
        if (next.size > ctx.maxOutput) most = room;
        else {
          least = room;
          best = next;
        }
      }
    }
    return { ...best.result, data: { ...best.result.data, commits: best.commits } };
  },
});

type Commit = Readonly<Record<string, string>>;

/** One commit of a page. Its subject is what tells it from others, so a long one is cut. */
function told(origin: Origin, file: string): Commit {
  return {
    hash: origin.hash,
    author: shorten(origin.author, 100),
    timestamp: new Date(origin.time * 1000).toISOString(),
    message: shorten(origin.message, LONGEST_SUBJECT),
    ...(origin.from !== undefined && origin.from !== file ? { from: origin.from } : {}),
  };
}
