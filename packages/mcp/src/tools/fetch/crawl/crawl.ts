// crawl: the pages of one host, breadth first, each into a file.
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type ActionResult, clip, shorten, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { toPath, toUri } from '../../../lib/path.ts';
import { act, type Ctx } from '../../../local.ts';
import { type Received, receive, textOf } from '../answer.ts';
import { headers, maxBytes, MIB, output, overwrite, timeout, url } from '../params.ts';
import { save } from '../save.ts';
import { linksOf } from './links.ts';
import { createNames } from './names.ts';
import { ALLOW_ALL, ALLOW_NONE, MOST_ROBOTS, parseRobots, type Robots } from './robots.ts';

const AGENT = 'hanzo-mcp';
/** Least and most milliseconds between two requests to the host. */
const POLITE_MS = 200;
const PATIENT_MS = 10_000;
/** A crawl ends here and says so, whatever is left. */
const MOST_TOTAL_MS = 30 * 60_000;
const MOST_TOTAL_BYTES = 512 * MIB;
const MOST_WAITING = 50_000;
const MOST_SEEN = 500_000;
const MOST_FAILURES_SHOWN = 10;

const input = z.object({
  url,
  output,
  overwrite,
  depth: z.int().min(0).max(20).default(2),
  limit: z.int().min(1).max(1000).default(100),
  headers,
  max_bytes: maxBytes,
  timeout: timeout(10_000),
});
type Input = z.output<typeof input>;

export const crawl = act({
  summary:
    'Saves the pages of one host, breadth first, into a new directory; obeys robots.txt and waits between requests.',
  input,
  effect: 'write',
  async run(ctx, given) {
    const start = startOf(given.url);
    const folder = await emptyFolder(ctx, given);
    const run: Run = { pages: [], skipped: new Map(), failures: [], bytes: 0 };
    const robots = await robotsOf(ctx, start, given);
    if (!robots.allows(targetOf(start))) {
      throw new ToolError(
        'PERMISSION_DENIED',
        `the robots.txt of ${start.host} does not allow ${start.pathname}; fetch reads a single page`,
        { host: start.host },
      );
    }
    const left = await walk(ctx, start, folder, robots, given, run);
    return answer(ctx, folder, given, run, left);
  },
});

interface Run {
  readonly pages: { readonly file: string; readonly url: string }[];
  /** why addresses were not saved, and how many */
  readonly skipped: Map<string, number>;
  readonly failures: { readonly url: string; readonly why: string }[];
  bytes: number;
}

function startOf(address: string): URL {
  const start = URL.parse(address);
  if (!start)
    throw new ToolError(
      'INVALID_PARAMS',
      `'${shorten(address, 200)}' is not an absolute URL; write http:// or https://`,
      { param: 'url' },
    );
  start.hash = '';
  return start;
}

async function emptyFolder(ctx: Ctx, given: Input): Promise<string> {
  const folder = await ctx.env.access.write(toPath(given.output, ctx.env.config.cwd, 'output'), 'follow');
  const there = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new ToolError('INVALID_PARAMS', `${folder} is not a directory that can be read; give a new one`, {
      param: 'output',
    });
  });
  if (there.length > 0 && !given.overwrite) {
    throw new ToolError('CONFLICT', `${folder} is not empty; choose another directory, or say overwrite: true`, {
      path: folder,
    });
  }
  return folder;
}

async function robotsOf(ctx: Ctx, start: URL, given: Input): Promise<Robots> {
  try {
    const received = await receive(ctx, new URL('/robots.txt', start).href, {
      timeoutMs: given.timeout,
      maxBytes: MOST_ROBOTS,
    });
    // RFC 9309 2.3.1: none there means all allowed, a server in trouble means none.
    if (received.status >= 500) return ALLOW_NONE;
    if (received.status < 200 || received.status > 299) return ALLOW_ALL;
    return parseRobots(Buffer.from(received.bytes).toString('utf8'), AGENT);
  } catch (error) {
    // The guard's no, and an unreachable host, are the answer to the crawl itself.
    throw error instanceof ToolError ? error : new ToolError('INTERNAL_ERROR', String(error));
  }
}

/** Visits pages until the limit; returns how many known addresses were not visited. */
async function walk(ctx: Ctx, start: URL, folder: string, robots: Robots, given: Input, run: Run): Promise<number> {
  const names = createNames();
  const until = Date.now() + MOST_TOTAL_MS;
  const pause = Math.min(PATIENT_MS, Math.max(POLITE_MS, (robots.delay ?? 0) * 1000));
  const queue: { url: URL; depth: number }[] = [{ url: start, depth: 0 }];
  const seen = new Set([start.href]);
  let next = 0;
  for (; next < queue.length && run.pages.length < given.limit; next++) {
    if (Date.now() > until || run.bytes > MOST_TOTAL_BYTES) break;
    const { url: address, depth } = queue[next] as { url: URL; depth: number };
    if (next > 0) await wait(pause, undefined, { signal: ctx.signal });
    const received = await visit(ctx, address, given, run);
    if (!received) continue;
    const landed = new URL(received.url);
    if (landed.host !== start.host) {
      skip(run, 'other host');
      continue;
    }
    if (landed.href !== address.href) {
      if (seen.has(landed.href)) continue;
      seen.add(landed.href);
      if (!robots.allows(targetOf(landed))) {
        skip(run, 'robots.txt');
        continue;
      }
    }
    await keep(ctx, folder, names.name(landed, received.media.kind === 'html'), received, given, run);
    ctx.progress({ progress: run.pages.length, total: Math.min(given.limit, queue.length), message: landed.pathname });
    if (received.media.kind !== 'html' || depth >= given.depth) continue;
    for (const link of linksOf(textOf(received)?.text ?? '', received.url)) {
      if (seen.has(link.href) || queue.length >= MOST_WAITING || seen.size >= MOST_SEEN) continue;
      seen.add(link.href);
      if (link.host !== start.host) skip(run, 'other host');
      else if (!robots.allows(targetOf(link))) skip(run, 'robots.txt');
      else queue.push({ url: link, depth: depth + 1 });
    }
  }
  return queue.length - next;
}

async function visit(ctx: Ctx, address: URL, given: Input, run: Run): Promise<Received | undefined> {
  try {
    const received = await receive(ctx, address.href, {
      headers: given.headers ?? {},
      timeoutMs: given.timeout,
      maxBytes: given.max_bytes ?? 10 * MIB,
      overflow: 'error',
    });
    if (received.status >= 200 && received.status <= 299) return received;
    fail(run, address, `status ${received.status}`);
  } catch (error) {
    if (ctx.signal.aborted || !(error instanceof ToolError)) throw error;
    // The first page is what was asked for; a later one is only a page less.
    if (run.pages.length === 0 && run.failures.length === 0) throw error;
    fail(run, address, error.message);
  }
  return undefined;
}

async function keep(ctx: Ctx, folder: string, name: string, received: Received, given: Input, run: Run): Promise<void> {
  const file = await ctx.env.access.write(path.join(folder, name), 'keep');
  await save(file, [received.bytes], given.overwrite ?? false);
  run.bytes += received.bytes.length;
  run.pages.push({ file: name, url: received.url });
}

function targetOf({ pathname, search }: URL): string {
  return `${pathname}${search}`;
}

function skip(run: Run, why: string): void {
  run.skipped.set(why, (run.skipped.get(why) ?? 0) + 1);
}

function fail(run: Run, address: URL, why: string): void {
  skip(run, 'failed');
  if (run.failures.length < MOST_FAILURES_SHOWN) run.failures.push({ url: address.href, why });
}

function answer(ctx: Ctx, folder: string, given: Input, run: Run, left: number): ActionResult {
  const list = run.pages.map(({ file, url: address }) => `${file}\t${address}\n`).join('');
  const { text, rest } = clip(list, ctx.maxOutput);
  const more = [
    left > 0 ? `${left} known addresses were not visited; raise limit for more` : '',
    rest > 0 ? 'the list of pages is cut; fs tree of the directory shows all files' : '',
  ].filter((each) => each !== '');
  return {
    data: {
      dest: toUri(folder),
      count: run.pages.length,
      depth: given.depth,
      size: run.bytes,
      ...(run.skipped.size > 0 ? { skipped: Object.fromEntries(run.skipped) } : {}),
      ...(run.failures.length > 0 ? { failures: run.failures } : {}),
      ...(more.length > 0 ? { more: more.join('; ') } : {}),
    },
    bodies: [{ kind: 'text', key: 'pages', text }],
  };
}
