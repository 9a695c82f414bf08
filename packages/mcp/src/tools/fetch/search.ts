// search: the web search of the plane. Without a key it says so; it never answers an empty list instead.
import { type ActionResult, shorten, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { act, type Ctx } from '../../local.ts';
import { timeout } from './params.ts';
import { userAgent } from './web.ts';

/** Where a key is looked for, first to last (contract, local core tools 4.4). */
const KEYS = ['HANZO_API_KEY', 'API_KEY', 'API_TOKEN', 'HANZO_TOKEN'] as const;
const BASES = ['HANZO_API_URL', 'API_URL', 'HANZO_API_BASE', 'HANZO_BASE_URL'] as const;
const DEFAULT_BASE = 'https://api.hanzo.ai';

const LONGEST_SNIPPET = 400;
const LONGEST_REASON = 200;

export const search = act({
  summary: 'Searches the web through the plane; needs HANZO_API_KEY.',
  input: z.object({
    query: z.string().min(1),
    limit: z.int().min(1).max(1000).default(10),
    timeout: timeout(15_000),
  }),
  effect: 'network',
  async run(ctx, input): Promise<ActionResult> {
    const key = first(KEYS);
    if (key === undefined) {
      throw new ToolError(
        'NO_CREDENTIAL',
        `search needs a key: set ${KEYS[0]} (or ${KEYS.slice(1).join(', ')}) for this server`,
        {
          variable: KEYS[0],
        },
      );
    }
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
  const { createClient } = await import('@hanzo/net');
  const base = (first(BASES) ?? DEFAULT_BASE).replace(/\/+$/, '');
  // The operator names this address, and a plane of one's own may well be on this machine; the key goes nowhere else.
  const client = createClient({ allowPrivate: true, userAgent: userAgent(ctx.env.config), maxBytes: 4_194_304 });
  let status: number;
  let body: string;
  try {
    const answer = await client.request(`${base}/v1/websearch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ q: text }),
      redirect: 'error',
      timeoutMs,
      signal: ctx.signal,
    });
    status = answer.status;
    body = Buffer.from(await answer.body.bytes()).toString('utf8');
  } catch (error) {
    throw failed(`the search service at ${base} could not be asked: ${(error as Error).message}`, {});
  } finally {
    await client.close();
  }
  if (status < 200 || status > 299) {
    const reason = shorten(body.replaceAll(/\s+/g, ' ').trim(), LONGEST_REASON);
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

function record(value: unknown): Map<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? new Map(Object.entries(value))
    : undefined;
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') return '';
  const units = [...value.replaceAll(/\s+/g, ' ').trim()];
  return units.length > LONGEST_SNIPPET ? `${units.slice(0, LONGEST_SNIPPET).join('')}…` : units.join('');
}

function failed(message: string, details: Record<string, unknown>): ToolError {
  return new ToolError('SEARCH_FAILED', message, details);
}

function first(names: readonly string[]): string | undefined {
  return names.map((name) => process.env[name]?.trim()).find((value) => value !== undefined && value !== '');
}
