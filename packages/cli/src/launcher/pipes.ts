// Standard streams that never stop this process: a pipe nobody reads from is not waited for.
import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import process from 'node:process';
import type { Writable } from 'node:stream';

/** Most bytes of a server's talk that are kept for a client that does not read them. */
const KEPT = 1_048_576;

/** Node writes to its standard pipes synchronously, and stands still when they are full; a socket on the same pipe does not. */
export function unblocking(fd: 1 | 2): Writable {
  const stream = fd === 1 ? process.stdout : process.stderr;
  const stat = fstatSync(fd);
  if (process.platform === 'win32' || !(stat.isFIFO() || stat.isSocket())) return stream;
  const socket = new Socket({ fd, readable: false, writable: true });
  // a reader that went away
  socket.on('error', () => undefined);
  return socket;
}

/** Writes while there is room, else lets it fall: what servers say to people is not worth their standing still. */
export function pourInto(to: Writable): (chunk: Uint8Array | string) => void {
  return (chunk) => {
    if (to.writableLength < KEPT && !to.destroyed) to.write(chunk);
  };
}
