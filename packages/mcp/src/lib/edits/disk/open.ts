// Opening files for reading, so that no read waits: a thread that waits for the kernel is lost to the whole server.
import { constants, type FileHandle, open } from 'node:fs/promises';
import { ToolError } from '@hanzo/tool';
import { toUri } from '../../path.ts';

/** What takes its content away from other readers, or waits for more of it, though it looks like a file. */
const STREAM = /^\/proc\/kmsg$|^\/sys\/kernel\/(?:debug\/)?tracing\/(?:.+\/)?trace_pipe(?:_raw)?$/;

/**
 * Opens a file by its real path for reading; neither the opening nor a read waits for a writer (a read that would rejects
 * with EAGAIN). Rejects with INVALID_PARAMS for the kernel's message streams.
 */
export async function openToRead(file: string): Promise<FileHandle> {
  if (STREAM.test(file)) throw endless(file);
  return open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
}

/** All bytes of a regular file. Rejects like `openToRead`, and for whatever is no regular file. */
export async function readRegular(file: string): Promise<Buffer> {
  const handle = await openToRead(file);
  try {
    if (!(await handle.stat()).isFile())
      throw new ToolError('INVALID_PARAMS', `${file} is not a regular file`, { uri: toUri(file) });
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

class Endless extends ToolError {}

/** True for what the opening or a read of such a file rejects with. */
export function isEndless(error: unknown): boolean {
  return error instanceof Endless || (error as NodeJS.ErrnoException).code === 'EAGAIN';
}

/** INVALID_PARAMS for a file whose reading would wait. */
export function endless(file: string): ToolError {
  return new Endless(
    'INVALID_PARAMS',
    `${file} is a stream, not a file with an end: reading it waits for what comes; use exec with a time limit`,
    { uri: toUri(file) },
  );
}
