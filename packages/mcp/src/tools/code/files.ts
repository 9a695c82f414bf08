// The project's files as the resolver of imports sees them: only what the access rules let be read.
import { readdir, readFile, stat } from 'node:fs/promises';
import type { Files } from '../../lib/syntax/index.ts';
import type { Ctx } from '../../local.ts';

/** Files as the access rules show them. */
export function filesOf(ctx: Ctx): Files {
  const readable = async (file: string): Promise<string | undefined> =>
    ctx.env.access.read(file).catch(() => undefined);
  return {
    async isFile(file) {
      const real = await readable(file);
      return (
        real !== undefined &&
        (await stat(real).then(
          (what) => what.isFile(),
          () => false,
        ))
      );
    },
    async read(file) {
      const real = await readable(file);
      const what = real === undefined ? undefined : await stat(real).catch(() => undefined);
      if (real === undefined || !what?.isFile() || what.size > 1024 * 1024) return undefined;
      return readFile(real, 'utf8').catch(() => undefined);
    },
    async list(folder) {
      const real = await readable(folder);
      return real === undefined ? [] : readdir(real).catch(() => []);
    },
  };
}
