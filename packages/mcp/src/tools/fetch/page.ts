// fetch: what a URL says, as text a model can read.
import type { ActionResult, Body } from '@hanzo/tool';
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
import { documentOf } from './document.ts';
import { type Copy, hashOf, isOf, pageOf, readCursor } from './kept.ts';
import { allHeaders, cursor, headers, maxBytes, MIB, payment, timeout, url } from './params.ts';
import { paymentHeader, paymentRequired } from './payment.ts';
import { BINARY, changed } from './request.ts';
import { webOf } from './web.ts';

const input = z.object({
  url,
  headers,
  whole: z.boolean().optional().describe('keep navigation'),
  cursor,
  payment,
  all_headers: allHeaders,
  max_bytes: maxBytes,
  timeout: timeout(30_000),
});
type Input = z.output<typeof input>;

/** Larger pictures are reported, not shown. */
const MOST_IMAGE = 3 * MIB;

export const page = act({
  summary:
    'Reads a URL: HTML as Markdown, other text as it is, PDF and office files as text, pictures as pictures; anything else is only described.',
  input,
  effect: 'network',
  async run(ctx, given) {
    const { kept } = await webOf(ctx);
    const from = readCursor(given.cursor);
    const key = hashOf(JSON.stringify(['fetch', given.url, given.headers ?? {}, given.whole ?? false]));
    const copy = from ? kept.get(key) : undefined;
    if (from && copy && isOf(copy, from)) return show(copy, given, ctx);

    const received = await receive(ctx, given.url, {
      headers: { accept: ACCEPT, ...lowerCased(given.headers), ...paymentHeader(given.payment) },
      timeoutMs: given.timeout,
      maxBytes: given.max_bytes ?? 10 * MIB,
    });
    if (received.status === 402) return { data: paymentRequired(received, given.all_headers ?? false, ctx.maxOutput) };
    const fresh = await copyOf(ctx, received, given);
    if (!fresh) {
      if (from) throw changed();
      return notText(ctx, received, given);
    }
    if (from && !isOf(fresh, from)) throw changed();
    const answer = show(fresh, given, ctx);
    if (answer.paging?.more) kept.put(key, fresh);
    return answer;
  },
});

const ACCEPT = 'text/html,application/xhtml+xml,text/markdown,text/plain,application/json;q=0.9,*/*;q=0.8';

function lowerCased(fields: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]));
}

function show(copy: Copy, given: Input, ctx: Ctx): ActionResult {
  const cut = pageOf(copy, readCursor(given.cursor), bodyRoom(copy.data, ctx.maxOutput));
  return {
    data: { ...copy.data, ...(cut.more ? { more: cut.more } : {}) },
    bodies: [{ kind: 'text', key: 'text', text: cut.text }],
    ...(cut.paging ? { paging: cut.paging } : {}),
  };
}

async function copyOf(ctx: Ctx, received: Received, given: Input): Promise<Copy | undefined> {
  const decoded = textOf(received);
  const hash = hashOf(received.bytes);
  const data = { ...facts(ctx, received, given, decoded?.charset), hash };
  if (!decoded) {
    const document = received.media.kind === 'binary' ? await documentOf(ctx, received) : undefined;
    if (!document || document.text === '') return undefined;
    return {
      text: document.text,
      hash,
      data: { ...data, document: document.kind },
      ...(document.skipped === undefined ? {} : { note: document.skipped }),
    };
  }
  if (received.media.kind !== 'html') return { text: decoded.text, hash, data, ...cutNote(received) };
  const { toMarkdown } = await import('./html/markdown.ts');
  const converted = toMarkdown(decoded.text, received.url, given.whole);
  return {
    text: converted.text,
    hash,
    data: {
      ...data,
      ...(converted.title === undefined ? {} : { title: converted.title }),
      ...(converted.part === 'main' ? { part: 'main' } : {}),
      ...(converted.cut ? { truncated: true } : {}),
    },
    ...(converted.cut
      ? { note: 'the page goes on, but no more of it is converted; the action get shows all' }
      : cutNote(received)),
  };
}

function notText(ctx: Ctx, received: Received, given: Input): ActionResult {
  const data = { ...facts(ctx, received, given), hash: hashOf(received.bytes) };
  const visible = received.media.kind === 'image' && !received.truncated && received.bytes.length <= MOST_IMAGE;
  if (!visible || received.bytes.length === 0) {
    return { data: { ...data, binary: true, more: BINARY } };
  }
  const image: Body = {
    kind: 'image',
    key: 'image',
    data: Buffer.from(received.bytes).toString('base64'),
    mimeType: received.media.mime,
  };
  return { data, bodies: [image] };
}

function facts(ctx: Ctx, received: Received, given: Input, charset?: string): Record<string, unknown> {
  const { status, ...outcome } = outcomeOf(given.url, received);
  return {
    status,
    url: received.url,
    ...outcome,
    ...contentOf(received, charset),
    ...headersOf(received.headers, given.all_headers, headerRoom(ctx.maxOutput)),
  };
}
