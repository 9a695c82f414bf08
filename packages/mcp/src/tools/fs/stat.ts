// stat: what a path is, with the hash of its bytes.
import { lstat, readlink, stat as follow } from 'node:fs/promises';
import { z } from 'zod';
import { toPath, toUri } from '../../lib/path.ts';
import { act, type Ctx } from '../../local.ts';
import { on } from '../../lib/edits/disk/failure.ts';
import { isEndless, openToRead } from '../../lib/edits/disk/open.ts';
import { hasher } from '../../lib/edits/disk/hash.ts';
import { uri } from './params.ts';

export const stat = act({
  summary: 'size, hash, times, kind',
  effect: 'read',
  input: z.strictObject({ uri }),
  async run(ctx, input) {
    const given = toPath(input.uri, ctx.env.config.cwd);
    const file = await ctx.env.access.read(given);
    return on(file, async () => {
      const itself = await lstat(given);
      const link = itself.isSymbolicLink() ? await readlink(given) : undefined;
      const facts = await follow(file).catch((error: NodeJS.ErrnoException) => {
        if (link !== undefined && error.code === 'ENOENT') return undefined;
        throw error;
      });
      if (!facts) {
        return {
          data: {
            uri: toUri(given),
            size: itself.size,
            hash: null,
            mtime: itself.mtime.toISOString(),
            is_file: false,
            is_dir: false,
            link,
            dangling: true,
          },
        };
      }
      return {
        data: {
          uri: toUri(link === undefined ? file : given),
          size: facts.size,
          hash: facts.isFile() ? await hashOrNone(ctx, file) : null,
          mtime: facts.mtime.toISOString(),
          is_file: facts.isFile(),
          is_dir: facts.isDirectory(),
          mode: (facts.mode & 0o7777).toString(8).padStart(4, '0'),
          ...(facts.nlink > 1 && facts.isFile() ? { nlink: facts.nlink } : {}),
          ...(link === undefined ? {} : { link, target: toUri(file) }),
        },
      };
    });
  },
});

/** Null for what is a stream in truth: it has no content to be hashed. */
async function hashOrNone(ctx: Ctx, file: string): Promise<string | null> {
  try {
    return await hashFile(ctx, file);
  } catch (error) {
    if (isEndless(error)) return null;
    throw error;
  }
}

/** Streams a file through the hash; stops when the call is cancelled. */
export async function hashFile(ctx: Ctx, file: string): Promise<string> {
  const hash = hasher();
  const handle = await openToRead(file);
  try {
    const chunks = handle.createReadStream({ highWaterMark: 1 << 20, signal: ctx.signal, autoClose: false });
    for await (const chunk of chunks) hash.update(chunk as Buffer);
    return hash.digest();
  } finally {
    await handle.close();
  }
}
