// Text of PDF, office and archive files. Reading is done in a thread that can be ended at any moment; see readers.ts.
import { containerOf } from './kind.ts';
import { type Limits, LIMITS } from './limits.ts';
import { giveReader, type Reader, takeReader } from './readers.ts';
import type { Answer, DocumentText, Request } from './types.ts';

export { isDocumentGlob } from './names.ts';
export type { DocumentText, Part } from './types.ts';

/** True for a file `readDocument` understands; `head` is its first 1024 bytes (512 suffice but for odd PDFs). */
export function isDocument(name: string, head: Buffer): boolean {
  return containerOf(name, head) !== undefined;
}

/** Milliseconds a thread has beyond its time limit before it is ended. */
const GRACE = 2000;

/**
 * Reads a document. Never rejects for what the file is: a broken, encrypted or oversize one comes back with `skipped` and
 * what could be read of it. `limits` replaces some of the bounds in limits.ts. Rejects with the signal's reason when
 * `signal` is aborted.
 */
export async function readDocument(
  file: string,
  signal?: AbortSignal,
  limits: Partial<Limits> = {},
): Promise<DocumentText> {
  signal?.throwIfAborted();
  const reader = await takeReader();
  let clean = false;
  try {
    signal?.throwIfAborted();
    const id = ++reader.asked;
    const request: Request = { id, file, limits: { ...LIMITS, ...limits } };
    const { found, ended } = await answerOf(reader, request, signal);
    clean = ended;
    return found;
  } finally {
    giveReader(reader, clean);
  }
}

/** What the thread finds, until it is done, dies, has had `time` milliseconds, or the call is aborted. */
function answerOf(
  { worker }: Reader,
  request: Request,
  signal: AbortSignal | undefined,
): Promise<{ found: DocumentText; /** the reader itself said so, and can read another */ ended: boolean }> {
  const found: DocumentText = { kind: 'unknown', text: '', parts: [] };
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', aborted);
      worker.off('message', heard).off('error', failed).off('exit', gone);
    };
    const give = (skipped: string | undefined, ended: boolean): void => {
      leave();
      resolve({ found: skipped === undefined ? found : { ...found, skipped }, ended });
    };
    const aborted = (): void => {
      leave();
      reject(signal?.reason);
    };
    const heard = ({ id, message }: Answer): void => {
      // what a reader still had to say of the document before
      if (id !== request.id) return;
      if ('batch' in message) {
        for (const part of message.batch.parts) found.parts.push(part);
        found.text += message.batch.text;
      } else {
        found.kind = message.done.kind;
        give(message.done.skipped, true);
      }
    };
    const failed = (error: NodeJS.ErrnoException): void =>
      give(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'needs too much memory' : `cannot be read: ${error.message}`,
        false,
      );
    const gone = (): void => give('cannot be read: the reader ended', false);
    const timer = setTimeout(() => give('took too long; the rest is left out', false), request.limits.time + GRACE);
    signal?.addEventListener('abort', aborted, { once: true });
    worker.on('message', heard).on('error', failed).on('exit', gone);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(request);
  });
}
