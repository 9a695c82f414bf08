// The one place where an action's outcome becomes wire form: a compact JSON envelope first, bodies as blocks after it.
import type { ActionResult, Body, CallResult, ContentBlock } from './content.ts';
import { bounded, type Envelope, ENVELOPE_ALLOWANCE } from './bound.ts';
import { clip, jsonLength, utf8Length } from './clip.ts';
import { ToolError } from './errors.ts';

/**
 * How results are written. All text blocks of an answer together, the envelope among them, take at most `maxOutput` and
 * 4096 bytes more (bound.ts).
 */
export interface EnvelopeOptions {
  /** most UTF-8 bytes of text in one answer's bodies, as they are written; default 32768 */
  maxOutput?: number;
  /** put text bodies into the envelope instead of blocks beside it */
  jsonOnly?: boolean;
}

export const DEFAULT_MAX_OUTPUT = 32_768;

interface Meta {
  tool: string;
  action?: string;
}

/** Success: `{ok: true, data, error: null, meta}` and the bodies (contract, local core tools 2.2). */
export function success(meta: Meta, result: ActionResult, options: EnvelopeOptions = {}): CallResult {
  const { data, extra, ...laid } = lay(result, options);
  return write({ ok: true, data, error: null, meta: { ...meta, ...extra } }, laid, options);
}

/**
 * Failure: `{ok: false, data: null | what there is to show, error: {code, message, ...details}, meta}`; `isError` is set.
 * Never throws: what cannot be written is left out, the code and the message stay.
 */
export function failure(meta: Meta, error: unknown, options: EnvelopeOptions = {}): CallResult {
  const known = error instanceof ToolError ? error : unexpected(error);
  try {
    return writeFailure(meta, known, options);
  } catch {
    return writeFailure(meta, new ToolError(known.code, known.message), options);
  }
}

function writeFailure(meta: Meta, known: ToolError, options: EnvelopeOptions): CallResult {
  const { data, extra, ...laid } = known.result ? lay(known.result, options) : NOTHING;
  const body = { ...known.details, code: known.code, message: known.message };
  const { code, message, ...details } = body;
  return write({ ok: false, data, error: { code, message, ...details }, meta: { ...meta, ...extra } }, laid, options);
}

function unexpected(error: unknown): ToolError {
  return new ToolError('INTERNAL_ERROR', wordsOf(error) || 'unexpected failure');
}

function wordsOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  try {
    return String(error);
  } catch {
    // An object without a way to become text.
    return '';
  }
}

/** A result on its way into an envelope. */
interface Laid {
  readonly data: Record<string, unknown> | null;
  readonly extra: Record<string, unknown>;
  readonly blocks: ContentBlock[];
  /** bytes of text in `blocks` */
  readonly beside: number;
  /** entries of `data` that are never cut: they are bounded already */
  readonly kept: ReadonlySet<string>;
}

const NOTHING: Laid = { data: null, extra: {}, blocks: [], beside: 0, kept: new Set() };

function lay(result: ActionResult, options: EnvelopeOptions): Laid {
  const data: Record<string, unknown> = { ...result.data };
  const blocks: ContentBlock[] = [];
  const most = options.maxOutput ?? DEFAULT_MAX_OUTPUT;
  const bodies = result.bodies ?? [];
  let left = most;
  for (const body of bodies) left -= place(body, data, blocks, left, options);
  if (result.paging) data['paging'] = result.paging;
  const extra = { ...result.meta, ...(result.paging ? { paging: result.paging } : {}) };
  const kept = new Set([...bodies.map(({ key }) => key), 'paging']);
  return { data, extra, blocks, beside: options.jsonOnly ? 0 : most - left, kept };
}

/** Puts one body where it belongs; the bytes of text it takes there. */
function place(
  body: Body,
  data: Record<string, unknown>,
  blocks: ContentBlock[],
  left: number,
  options: EnvelopeOptions,
): number {
  if (body.kind === 'image') {
    blocks.push({ type: 'image', data: body.data, mimeType: body.mimeType });
    data[body.key] = { block: blocks.length };
    return 0;
  }
  const cut = clip(body.text, left, options.jsonOnly ? 'json' : 'plain');
  if (cut.rest > 0) data['more'] = `${body.key}: ${cut.rest} more characters were cut at the output limit`;
  if (options.jsonOnly) {
    data[body.key] = cut.text;
    return jsonLength(cut.text);
  }
  if (cut.text === '') {
    data[body.key] = '';
    return 0;
  }
  blocks.push({ type: 'text', text: cut.text });
  data[body.key] = { block: blocks.length };
  return utf8Length(cut.text);
}

function write(
  envelope: Envelope,
  { blocks, beside, kept }: Omit<Laid, 'data' | 'extra'>,
  options: EnvelopeOptions,
): CallResult {
  const room = (options.maxOutput ?? DEFAULT_MAX_OUTPUT) + ENVELOPE_ALLOWANCE - beside;
  return { content: [{ type: 'text', text: bounded(envelope, room, kept) }, ...blocks], isError: !envelope.ok };
}
