// blame: the lines of a file, each with the commit it comes from.
import { ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { act } from '../../local.ts';
import { filePath } from './names.ts';
import { fitting, textPage } from './page.ts';
import { cursor, inTree, ref, repository, resolve } from './params.ts';
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
      `'lines': '${lines.slice(0, 40)}' is no range; write 10,20 (1-based, both included)`,
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
    const output = await repo.gitAtTop([
      'blame',
      '--porcelain',
      '--no-textconv',
      '--encoding=UTF-8',
      ...(input.lines === undefined ? [] : ['-L', range(input.lines)]),
      ...(at === undefined ? [] : [await resolve(repo, at, 'ref')]),
      '--',
      file,
    ]);
    const { origins, text } = parseBlame(output.text);
    const result = textPage(ctx, 'blame', { text, truncated: output.truncated }, input.cursor, { path: file });
    const body = result.bodies?.[0];
    const shown = new Set(body?.kind === 'text' ? (body.text.match(/^[0-9a-f]{8}(?= \d)/gm) ?? []) : []);
    const commits = [...origins.values()]
      .filter((each) => shown.has(each.hash.slice(0, 8)))
      .map((each) => ({
        hash: each.hash,
        author: each.author,
        timestamp: new Date(each.time * 1000).toISOString(),
        message: each.message,
        ...(each.from !== undefined && each.from !== file ? { from: each.from } : {}),
      }));
    return { ...result, data: { ...result.data, commits: fitting(ctx, commits) } };
  },
});
