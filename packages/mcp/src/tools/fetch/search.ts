// search: the web search of the plane. Without a key it says so; it never answers an empty list instead.
import { type ActionResult, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { askPlane, needKey, type PlaneAnswer, planeBase, reasonIn, record } from '../../lib/plane.ts';
import { act, type Ctx } from '../../local.ts';
import { timeout } from './params.ts';

const LONGEST_SNIPPET = 400;

export const search = act({
  summary: 'Searches the web through the plane; needs HANZO_API_KEY.',
  input: z.object({
    query: z.string().min(1),
    limit: z.int().min(1).max(1000).default(10),
    timeout: timeout(15_000),
  }),
  effect: 'network',
  async run(ctx, input): Promise<ActionResult> {
    const key = needKey('search');
    const found = await query(ctx, key, input.query, input.timeout);
    const results = found.results.slice(0, input.limit);
    return {
      data: {
        query: input.query,
        results,
        count: results.length,
        total: found.results.length,
        ...(found.engines.length > 0 ? { engines: found.engines } : {}),
      },
    };
  },
});

interface Hit {
  url: string;
  title: string;
  snippet: string;
}

async function query(
  ctx: Ctx,
  key: string,
  text: string,
  timeoutMs: number,
): Promise<{ results: Hit[]; engines: unknown[] }> {
  let answer: PlaneAnswer;
  try {
    answer = await askPlane(ctx.env.config, key, {
      path: '/v1/websearch',
      body: { q: text },
      timeoutMs,
      signal: ctx.signal,
    });
  } catch (error) {
    throw failed(`the search service at ${planeBase()} could not be asked: ${(error as Error).message}`, {});
  }
  const { status, body } = answer;
  if (status < 200 || status > 299) {
    const reason = reasonIn(body);
    throw failed(`the search service answered ${status}${reason === '' ? '' : `: ${reason}`}`, { status });
  }
  return read(body);
}

function read(body: string): { results: Hit[]; engines: unknown[] } {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw failed('the search service sent something that is not JSON', {});
  }
  const fields = record(value);
  const list = fields?.get('results');
  if (!Array.isArray(list)) throw failed('the search service sent no list of results', {});
  const results = list.flatMap((each: unknown): Hit[] => {
    const hit = record(each);
    const url = hit?.get('url');
    if (typeof url !== 'string') return [];
    return [{ url, title: textOf(hit?.get('title')), snippet: textOf(hit?.get('content') ?? hit?.get('snippet')) }];
  });
  const engines = fields?.get('engines');
  return { results, engines: Array.isArray(engines) ? engines : [] };
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') return '';
  const units = [...value.replaceAll(/\s+/g, ' ').trim()];
  return units.length > LONGEST_SNIPPET ? `${units.slice(0, LONGEST_SNIPPET).join('')}…` : units.join('');
}

function failed(message: string, details: Record<string, unknown>): ToolError {
  return new ToolError('SEARCH_FAILED', message, details);
}
