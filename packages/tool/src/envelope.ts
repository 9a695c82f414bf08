// The one place where an action's outcome becomes wire form: a compact JSON envelope first, bodies as blocks after it.
import type { ActionResult, Body, CallResult, ContentBlock } from './content.ts';
import { clip, utf8Length } from './clip.ts';
import { ToolError } from './errors.ts';

/** How results are written. */
export interface EnvelopeOptions {
  /** most UTF-8 bytes of text in one answer's body; default 32768 */
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
  const { data, blocks, extra } = lay(result, options);
  return write({ ok: true, data, error: null, meta: { ...meta, ...extra } }, blocks, false);
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
  const shown = known.result ? lay(known.result, options) : { data: null, blocks: [], extra: {} };
  const body = { ...known.details, code: known.code, message: known.message };
  const { code, message, ...details } = body;
  return write(
    { ok: false, data: shown.data, error: { code, message, ...details }, meta: { ...meta, ...shown.extra } },
    shown.blocks,
    true,
  );
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

function lay(
  result: ActionResult,
  options: EnvelopeOptions,
): { data: Record<string, unknown>; blocks: ContentBlock[]; extra: Record<string, unknown> } {
  const data: Record<string, unknown> = { ...result.data };
  const blocks: ContentBlock[] = [];
  let left = options.maxOutput ?? DEFAULT_MAX_OUTPUT;
  for (const body of result.bodies ?? []) left = place(body, data, blocks, left, options);
  if (result.paging) data['paging'] = result.paging;
  const extra = { ...result.meta, ...(result.paging ? { paging: result.paging } : {}) };
  return { data, blocks, extra };
}

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
    return left;
  }
  const cut = clip(body.text, left);
  if (cut.rest > 0) data['more'] = `${body.key}: ${cut.rest} more characters were cut at the output limit`;
  if (cut.text === '' || options.jsonOnly) {
    data[body.key] = cut.text;
  } else {
    blocks.push({ type: 'text', text: cut.text });
    data[body.key] = { block: blocks.length };
  }
  return left - Math.min(left, utf8Length(cut.text));
}

function write(envelope: Record<string, unknown>, blocks: ContentBlock[], isError: boolean): CallResult {
  return { content: [{ type: 'text', text: JSON.stringify(envelope) }, ...blocks], isError };
}
