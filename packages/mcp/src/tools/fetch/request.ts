// request and the methods by name: one HTTP exchange, its body as it is.
import { type ActionResult, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { act, type Ctx } from '../../local.ts';
import {
  bodyRoom,
  contentOf,
  cutNote,
  headerRoom,
  headersOf,
  outcomeOf,
  type Received,
  receive,
  textOf,
} from './answer.ts';
import { mimeOf } from './media.ts';
import { type Copy, hashOf, isOf, pageOf, readCursor } from './kept.ts';
import { allHeaders, body, cursor, headers, maxBytes, MIB, payment, timeout, url } from './params.ts';
import { paymentHeader, paymentRequired } from './payment.ts';
import { webOf } from './web.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

const common = {
  url,
  headers,
  body,
  cursor,
  payment,
  all_headers: allHeaders,
  max_bytes: maxBytes,
  timeout: timeout(30_000),
};

interface Input {
  url: string;
  headers?: Record<string, string> | undefined;
  body?: string | undefined;
  cursor?: string | undefined;
  payment?: string | undefined;
  all_headers?: boolean | undefined;
  max_bytes?: number | undefined;
  timeout: number;
}

export const request = act({
  summary: 'Sends one HTTP request. Any status is data, not an error; the body comes as it is, text only.',
  input: z.object({ method: z.enum(METHODS).default('GET'), ...common }),
  effect: 'network',
  run: (ctx, { method, ...input }) => exchange(ctx, method, input),
});

const { body: _body, ...bodiless } = common;

export const get = act({
  summary: 'request with method GET.',
  input: z.object(bodiless),
  effect: 'network',
  run: (ctx, input) => exchange(ctx, 'GET', input),
});

export const post = withBody('POST');
export const put = withBody('PUT');
export const patch = withBody('PATCH');
export const del = withBody('DELETE');

function withBody(method: string): ReturnType<typeof act> {
  return act({
    summary: `request with method ${method}.`,
    input: z.object(common),
    effect: 'network',
    run: (ctx, input) => exchange(ctx, method, input),
  });
}

export const head = act({
  summary: 'Status, type, size and headers of a URL, without its body.',
  input: z.object({ url, headers, all_headers: allHeaders, timeout: timeout(30_000) }),
  effect: 'network',
  async run(ctx, input) {
    const received = await receive(ctx, input.url, {
      method: 'HEAD',
      headers: input.headers ?? {},
      timeoutMs: input.timeout,
    });
    const length = received.headers.get('content-length');
    const type = received.headers.get('content-type');
    return {
      data: {
        ...outcomeOf(input.url, received),
        ...(type === null ? {} : { mime: mimeOf(type) }),
        ...(length === null ? {} : { size: Number(length) }),
        ...headersOf(received.headers, input.all_headers, ctx.maxOutput),
      },
    };
  },
});

async function exchange(ctx: Ctx, method: string, input: Input): Promise<ActionResult> {
  const { kept } = await webOf(ctx);
  const from = readCursor(input.cursor);
  const key = hashOf(JSON.stringify(['request', method, input.url, input.headers ?? {}, input.body ?? null]));
  const copy = from ? kept.get(key) : undefined;
  if (from && copy && isOf(copy, from)) return show(copy, input, ctx);
  if (from && method !== 'GET') {
    throw new ToolError(
      'CONFLICT',
      `the copy of that ${method} answer is no longer kept, and it is not sent again by itself; send it without cursor if that is meant`,
      {},
    );
  }

  const received = await receive(ctx, input.url, {
    method,
    headers: { ...contentType(input), ...input.headers, ...paymentHeader(input.payment) },
    ...(input.body === undefined ? {} : { body: input.body }),
    timeoutMs: input.timeout,
    maxBytes: input.max_bytes ?? 10 * MIB,
  });
  if (received.status === 402) return { data: paymentRequired(received, input.all_headers ?? false, ctx.maxOutput) };
  const fresh = copyOf(received, input, ctx);
  if (!fresh)
    return { data: { ...facts(received, input, ctx), binary: true, hash: hashOf(received.bytes), more: BINARY } };
  if (from && !isOf(fresh, from)) throw changed();
  const answer = show(fresh, input, ctx);
  if (answer.paging?.more) kept.put(key, fresh);
  return answer;
}

/** What to do with a body that is no text. */
export const BINARY = 'no text; the action download saves it, and fs read shows what it can of a file';

/** What a page was cut from is gone, and what is there now is something else. */
export function changed(): ToolError {
  return new ToolError('CONFLICT', 'the content has changed since that page; start again without cursor', {});
}

function show(copy: Copy, { cursor: given }: Input, ctx: Ctx): ActionResult {
  const page = pageOf(copy, readCursor(given), bodyRoom(copy.data, ctx.maxOutput));
  return {
    data: { ...copy.data, ...(page.more ? { more: page.more } : {}) },
    bodies: [{ kind: 'text', key: 'body', text: page.text }],
    ...(page.paging ? { paging: page.paging } : {}),
  };
}

function copyOf(received: Received, input: Input, ctx: Ctx): Copy | undefined {
  const decoded = textOf(received);
  if (!decoded) return undefined;
  return {
    text: decoded.text,
    hash: hashOf(received.bytes),
    data: facts(received, input, ctx, decoded.charset),
    ...cutNote(received),
  };
}

function facts(received: Received, input: Input, ctx: Ctx, charset?: string): Record<string, unknown> {
  return {
    ...outcomeOf(input.url, received),
    ...contentOf(received, charset),
    ...headersOf(received.headers, input.all_headers, headerRoom(ctx.maxOutput)),
  };
}

/** A body without a type gets one: JSON if it is that, else plain text. */
function contentType({ body: text, headers: given }: Input): Record<string, string> {
  if (text === undefined || Object.keys(given ?? {}).some((name) => name.toLowerCase() === 'content-type')) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return { 'content-type': 'application/json' };
  } catch {
    // Not JSON: plain text below.
  }
  return { 'content-type': 'text/plain;charset=UTF-8' };
}
