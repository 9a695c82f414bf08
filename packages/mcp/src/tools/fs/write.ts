// write: a new file with its parents; an existing one only against the hash of what it replaces.
import { lstat } from 'node:fs/promises';
import { ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { toUri } from '../../lib/path.ts';
import { act, type Ctx } from '../../local.ts';
import { parseHash } from './apply-patch.ts';
import { create } from '../../lib/edits/disk/create.ts';
import { hashOf } from '../../lib/edits/disk/hash.ts';
import { lockKeys, locked } from '../../lib/edits/disk/lock.ts';
import { Changed, exists, replaceContent } from '../../lib/edits/disk/replace.ts';
import { snapshot } from '../../lib/edits/disk/snapshot.ts';
import { asText, encodeFor } from '../../lib/edits/edit.ts';
import { baseHash, uri } from './params.ts';
import { detectAll, markOf } from '../../lib/edits/text/encoding.ts';
import { editable, entry } from '../../lib/edits/target.ts';

const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'latin1'] as const;
type Written = (typeof ENCODINGS)[number];

/** Checked by hand: a list of names in the published schema would be paid for every turn. */
const encodingName = z
  .string()
  .refine(
    (name): name is Written => ENCODINGS.some((each) => each === name),
    `must be one of: ${ENCODINGS.join(', ')}`,
  );

export const write = act({
  summary: 'create a file and its parents',
  effect: 'write',
  input: z.strictObject({
    uri,
    content: z.string(),
    encoding: encodingName.optional(),
    base_hash: baseHash.optional(),
  }),
  async run(ctx, input) {
    const base = input.base_hash === undefined ? undefined : parseHash(input.base_hash);
    const file = await entry(ctx, input.uri);
    const there = await lstat(file).catch(() => undefined);
    if (there && base === undefined) throw await exists(file);
    if (base !== undefined) return replace(ctx, input.uri, input.content, base, input.encoding);
    const bytes = encoded(input.content, input.encoding ?? 'utf-8', file);
    await locked([file], () => create(file, bytes));
    return { data: { uri: toUri(file), hash: hashOf(bytes), size: bytes.length } };
  },
});

/** The bytes of a new file; UTF-16 starts with its mark, without which nobody would know it. */
function encoded(content: string, encoding: Written, file: string): Buffer {
  const bytes = encodeFor(content, encoding, file, 'content');
  return content.startsWith('\uFEFF') ? bytes : Buffer.concat([markOf(encoding), bytes]);
}

async function replace(ctx: Ctx, given: string, content: string, base: string, encoding: Written | undefined) {
  const file = await editable(ctx, given);
  return locked(lockKeys([file]), async () => {
    const before = await snapshot(file);
    if (before.hash !== base) {
      throw new ToolError('CONFLICT', `${file} is not what base_hash names; read it again and decide anew`, {
        uri: toUri(file),
        expected: base,
        actual: before.hash,
      });
    }
    const bytes = replacement(before.bytes, content, encoding, file);
    try {
      await replaceContent(before, bytes);
    } catch (error) {
      if (!(error instanceof Changed)) throw error;
      throw new ToolError('CONFLICT', `${file} was changed by somebody else just now; nothing was written`, {
        uri: toUri(file),
      });
    }
    const note = otherEnds(before.bytes, content);
    return {
      data: {
        uri: toUri(file),
        hash: hashOf(bytes),
        size: bytes.length,
        previous_hash: before.hash,
        ...(note ? { note } : {}),
      },
    };
  });
}

/** A word on line ends that are not what they were: they are written as given, and that may not be meant. */
function otherEnds(old: Buffer, content: string): string | undefined {
  const { text } = asText(old);
  if (!text.includes('\r\n') || content.includes('\r') || !content.includes('\n')) return undefined;
  return 'the file had CRLF line ends; it has LF now, as in content';
}

/** Without `encoding` a file keeps the one it is in, its mark included. Line ends are written as given. */
function replacement(old: Buffer, content: string, encoding: Written | undefined, file: string): Buffer {
  if (encoding !== undefined) return encoded(content, encoding, file);
  const format = detectAll(old);
  if (format.binary) return encodeFor(content, 'utf-8', file, 'content');
  const mark = content.startsWith('\uFEFF') ? Buffer.alloc(0) : old.subarray(0, format.mark);
  return Buffer.concat([mark, encodeFor(content, format.encoding, file, 'content')]);
}
