// apply_patch: one unique text of an existing file replaced by another, guarded by the hash a read returned.
import { ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { toUri } from '../../lib/path.ts';
import { act, type Ctx } from '../../local.ts';
import { readHash } from '../../lib/edits/disk/hash.ts';
import { lockKeys, locked } from '../../lib/edits/disk/lock.ts';
import { Changed, replaceContent } from '../../lib/edits/disk/replace.ts';
import { snapshot } from '../../lib/edits/disk/snapshot.ts';
import { type Edit, replaceText } from '../../lib/edits/edit.ts';
import { baseHash, uri } from './params.ts';
import { editable } from '../../lib/edits/target.ts';

/** How often an edit is tried again when somebody else writes the file between its reading and its writing. */
const ATTEMPTS = 8;

export const applyPatch = act({
  summary: 'replace one unique text of a file',
  effect: 'write',
  input: z.strictObject({
    uri,
    old_text: z.string().describe('exact, unique'),
    new_text: z.string(),
    base_hash: baseHash.optional(),
  }),
  async run(ctx, input) {
    if (input.old_text === input.new_text && input.old_text !== '') {
      throw new ToolError('INVALID_PARAMS', 'old_text and new_text are the same; nothing would change', {
        param: 'new_text',
      });
    }
    const base = input.base_hash === undefined ? undefined : parseHash(input.base_hash);
    const file = await editable(ctx, input.uri);
    const { edit, previous, changed } = await locked(lockKeys([file]), () =>
      edited(ctx, file, input.old_text, input.new_text, base),
    );
    return {
      data: {
        uri: toUri(file),
        hash: edit.hash,
        previous_hash: previous,
        strategy: edit.strategy,
        line: edit.line,
        ...(changed ? { changed: true } : {}),
        ...(edit.note ? { note: edit.note } : {}),
      },
      // An exact edit did what the call says; anything else is shown.
      bodies: edit.strategy === 'exact' && !changed ? [] : [{ kind: 'text', key: 'diff', text: edit.diff }],
    };
  },
});

async function edited(
  ctx: Ctx,
  file: string,
  oldText: string,
  newText: string,
  base: string | undefined,
): Promise<{ edit: Edit; previous: string; changed: boolean }> {
  for (let attempt = 1; ; attempt++) {
    ctx.signal.throwIfAborted();
    const before = await snapshot(file);
    ctx.env.access.refuseKey(file, before.bytes);
    const changed = base !== undefined && base !== before.hash;
    const edit = replaceText(before, oldText, newText, changed ? { expected: base } : undefined);
    try {
      await replaceContent(before, edit.bytes);
      return { edit, previous: before.hash, changed };
    } catch (error) {
      if (!(error instanceof Changed)) throw error;
      if (attempt < ATTEMPTS) continue;
      throw new ToolError('CONFLICT', `${file} is being written by somebody else all the time; nothing was changed`, {
        uri: toUri(file),
      });
    }
  }
}

/** The canonical form of a base hash; anything that is not one is INVALID_PARAMS. */
export function parseHash(given: string): string {
  const hash = readHash(given);
  if (hash !== undefined) return hash;
  throw new ToolError(
    'INVALID_PARAMS',
    "'base_hash' is not a hash; give the one a read returned, sha256: and 64 hex digits",
    {
      param: 'base_hash',
    },
  );
}
