// The edit engine: one unique text of a file replaced by another, in bytes. Shared by apply_patch and patch.
import { ToolError } from '@hanzo/tool';
import { toUri } from '../path.ts';
import type { Snapshot } from './disk/snapshot.ts';
import { hashOf } from './disk/hash.ts';
import { changeDiff } from './text/diff.ts';
import { byteSpan, decode, detectAll, encode, type Encoding, type Format, Unencodable } from './text/encoding.ts';
import { advice, explainAbsence } from './text/explain.ts';
import { isCrText, lineNumbers, unixEnds } from './text/lines.ts';
import { type Found, LENIENT_LIMIT, locate, type Span, type Strategy } from './text/match.ts';
import { nameOf } from './text/names.ts';
import { withLineEnds } from './text/replace.ts';

/** A file taken as text. */
export interface Text {
  readonly bytes: Buffer;
  readonly format: Format;
  /** decoded, without the byte order mark */
  readonly text: string;
  /** lines end with a lone CR */
  readonly cr: boolean;
}

/** What one replacement makes of a file. */
export interface Edit {
  readonly bytes: Buffer;
  readonly hash: string;
  readonly strategy: Strategy;
  /** 1-based line of the replaced text */
  readonly line: number;
  readonly diff: string;
  /** what a lenient match passed over, '' for an exact one */
  readonly note: string;
}

/** Places listed in a refusal. */
const LISTED = 100;

export function asText(bytes: Buffer): Text {
  const format = detectAll(bytes);
  const text = decode(bytes.subarray(format.mark), format);
  return { bytes, format, text, cr: isCrText(text) };
}

/**
 * Replaces the one place of `oldText` by `newText`. `stale` says that the caller's hash is not the file's: then only an
 * exact and unique place will do, and anything else is CONFLICT.
 * Errors: NOT_FOUND (no place), INVALID_PARAMS (several, or text the encoding cannot hold), CONFLICT (stale).
 */
export function replaceText(
  before: Snapshot,
  oldText: string,
  newText: string,
  stale: { expected: string } | undefined,
): Edit {
  const file = asText(before.bytes);
  const { text, cr } = file;
  if (!oldText.isWellFormed()) throw loneSurrogate('old_text');
  const wanted = unixEnds(withoutMark(oldText, file));
  const fresh = unixEnds(withoutMark(newText, file));
  if (wanted === '') return fill(before, file, fresh);
  const found = locate(text, wanted, cr, stale === undefined && !file.format.binary);
  const [span] = found.spans;
  if (found.total !== 1 || span === undefined) throw refusal(before, file, wanted, found, stale);
  const { strategy } = found;
  const written = withLineEnds(text, span, fresh, cr || strategy !== 'exact');
  const bytes = splice(file, span, written, before.file);
  const [line = 1] = lineNumbers(text, [span.start], cr);
  return {
    bytes,
    hash: hashOf(bytes),
    strategy,
    line,
    diff: changeDiff(text, span, written, cr),
    note: strategy === 'exact' ? '' : explainLenient(text, span, wanted, cr),
  };
}

/** A mark at the start of a caller's text is the file's own, which stays where it is. */
function withoutMark(text: string, file: Text): string {
  return file.format.mark > 0 && text.startsWith('\uFEFF') && !file.text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** An empty old text has one place in an empty file and no certain one anywhere else. */
function fill(before: Snapshot, file: Text, fresh: string): Edit {
  if (file.text !== '') {
    throw new ToolError(
      'INVALID_PARAMS',
      "'old_text' is empty, which names no place in a file that has content; quote a line next to the place and repeat it in new_text",
      { param: 'old_text', uri: toUri(before.file) },
    );
  }
  const span = { start: 0, end: 0 };
  const bytes = splice(file, span, fresh, before.file);
  return { bytes, hash: hashOf(bytes), strategy: 'exact', line: 1, diff: changeDiff('', span, fresh, false), note: '' };
}

/** The file's bytes with `span` replaced; every byte outside is the one that was there. */
function splice(file: Text, span: Span, written: string, name: string): Buffer {
  const { text, format, bytes } = file;
  const from = format.mark + byteSpan(text, 0, span.start, format);
  const to = from + byteSpan(text, span.start, span.end, format);
  return Buffer.concat([
    bytes.subarray(0, from),
    encodeFor(written, format.encoding, name, 'new_text'),
    bytes.subarray(to),
  ]);
}

/** A caller's text in a file's encoding; a character it cannot hold is INVALID_PARAMS naming it. */
export function encodeFor(text: string, encoding: Encoding, name: string, param: string): Buffer {
  try {
    return encode(text, encoding);
  } catch (error) {
    if (!(error instanceof Unencodable)) throw error;
    if (!error.character.isWellFormed()) throw loneSurrogate(param);
    const what = nameOf(error.character);
    throw new ToolError('INVALID_PARAMS', `'${param}' holds ${what}, which ${name} (${encoding}) cannot`, {
      param,
      encoding,
    });
  }
}

function loneSurrogate(param: string): ToolError {
  return new ToolError(
    'INVALID_PARAMS',
    `'${param}' holds half of a surrogate pair, which is no character; give it whole`,
    {
      param,
    },
  );
}

function refusal(
  before: Snapshot,
  file: Text,
  wanted: string,
  { strategy, spans, total }: Found,
  stale: { expected: string } | undefined,
): ToolError {
  const lines = lineNumbers(
    file.text,
    spans.slice(0, LISTED).map((span) => span.start),
    file.cr,
  );
  const places = `${lines.join(', ')}${total > LISTED ? ` and ${total - LISTED} more` : ''}`;
  const uri = toUri(before.file);
  if (stale) {
    const found = total === 0 ? 'is not in it any more' : `stands in it ${total} times (lines ${places})`;
    return new ToolError(
      'CONFLICT',
      `${before.file} has changed since that hash, and old_text ${found}; read it again`,
      {
        uri,
        expected: stale.expected,
        actual: before.hash,
        ...(total > 0 ? { matches: total, lines } : {}),
      },
    );
  }
  if (total > 1) {
    const how =
      strategy === 'exact'
        ? ''
        : ` (none exactly, all by ${strategy}: ${explainLenient(file.text, spans[0]!, wanted, file.cr)})`;
    return new ToolError(
      'INVALID_PARAMS',
      `old_text stands ${total} times in ${before.file}${how}, at lines ${places}; include more of the lines around the one you mean`,
      { uri, param: 'old_text', matches: total, lines, ...(how ? { strategy } : {}) },
    );
  }
  const explanation = explainAbsence(file.text, wanted, file.cr);
  const { candidates, difference } = explanation;
  return new ToolError('NOT_FOUND', `old_text is not in ${before.file}${advice(explanation, file.text === '')}`, {
    uri,
    param: 'old_text',
    candidates,
    ...(difference ? { difference } : {}),
    ...tooLarge(file),
  });
}

function tooLarge(file: Text): Record<string, unknown> {
  return file.text.length > LENIENT_LIMIT ? { note: 'a file of this size is matched exactly only' } : {};
}

/** Names the first thing a lenient match passed over. */
function explainLenient(text: string, span: Span, wanted: string, cr: boolean): string {
  const have = text.slice(span.start, span.end);
  let line = lineNumbers(text, [span.start], cr)[0] ?? 1;
  let column =
    span.start - Math.max(text.lastIndexOf('\n', span.start - 1), cr ? text.lastIndexOf('\r', span.start - 1) : -1);
  if (span.start === 0) column = 1;
  const a = [...have.replaceAll(/\r\n?/g, '\n')];
  const b = [...wanted];
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    if (a[i] !== b[i]) {
      const theirs = a[i] === undefined ? 'nothing' : nameOf(a[i]!);
      const given = b[i] === undefined ? 'nothing' : nameOf(b[i]!);
      return `the file had ${theirs} at ${line}:${column}, old_text ${given}`;
    }
    if (a[i] === '\n') {
      line++;
      column = 1;
    } else column++;
  }
  return 'line ends differed';
}
