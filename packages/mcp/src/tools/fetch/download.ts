// download: a URL into a file.
import path from 'node:path';
import { ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { toPath, toUri } from '../../lib/path.ts';
import { act } from '../../local.ts';
import { headersOf, outcomeOf } from './answer.ts';
import { mimeOf } from './media.ts';
import { headers, maxBytes, MIB, output, overwrite, payment, timeout, url } from './params.ts';
import { paymentHeader } from './payment.ts';
import { mustBeFree, save } from './save.ts';
import { ask, guarded } from './web.ts';

const DEFAULT_MAX = 1024 * MIB;

export const download = act({
  summary: 'Saves a URL as a file; nothing is written unless all of it came.',
  input: z.object({ url, output, overwrite, headers, payment, max_bytes: maxBytes, timeout: timeout(60_000) }),
  effect: 'write',
  async run(ctx, input) {
    const wanted = toPath(input.output, ctx.env.config.cwd, 'output');
    if (input.output.endsWith('/') || input.output.endsWith(path.sep)) {
      throw new ToolError(
        'INVALID_PARAMS',
        `'output' names a directory; give the path of the file, such as ${path.join(wanted, nameFor(input.url))}`,
        { param: 'output' },
      );
    }
    const overwriting = input.overwrite ?? false;
    const file = await ctx.env.access.write(wanted, 'keep');
    await mustBeFree(file, overwriting);

    const answer = await ask(ctx, input.url, {
      headers: { ...input.headers, ...paymentHeader(input.payment) },
      timeoutMs: input.timeout,
      maxBytes: input.max_bytes ?? DEFAULT_MAX,
    });
    if (answer.status < 200 || answer.status > 299 || answer.status === 206) {
      answer.body.discard();
      throw new ToolError('HTTP_ERROR', `${answer.url} answered ${answer.status}; nothing was written`, {
        ...outcomeOf(input.url, answer),
        url: answer.url,
        ...headersOf(answer.headers),
      });
    }
    const total = Number(answer.headers.get('content-length') ?? Number.NaN);
    let reported = 0;
    const saved = await guarded(
      save(file, answer.body, overwriting, (bytes) => {
        if (bytes - reported < MIB) return;
        reported = bytes;
        ctx.progress({ progress: bytes, ...(total >= bytes ? { total } : {}) });
      }),
    );
    return {
      data: {
        url: answer.url,
        output: toUri(file),
        status: answer.status,
        mime: mimeOf(answer.headers.get('content-type')) || 'application/octet-stream',
        size: saved.size,
        hash: saved.hash,
        ...(saved.replaced ? { replaced: true } : {}),
      },
    };
  },
});

function nameFor(address: string): string {
  const last = URL.parse(address)
    ?.pathname.split('/')
    .findLast((each) => each !== '');
  return last?.replaceAll(/[^\w.-]/g, '_') || 'file';
}
