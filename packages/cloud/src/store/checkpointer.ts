// The thread that carries SQLite's write-ahead log into the database file: its flushes take tens of milliseconds, in which nobody waits.
// Its own module, so that a build gives it a file of its own: `url` is where that is.
import { DatabaseSync } from 'node:sqlite';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';

/** The key under which the thread finds the file it works on. */
export const CHECKPOINTER = 'checkpoint';

/** Where this module lies. */
export const url = import.meta.url;

const file = (workerData as Readonly<Record<string, unknown>> | null)?.[CHECKPOINTER];
if (!isMainThread && parentPort !== null && typeof file === 'string') {
  const port = parentPort;
  const db = new DatabaseSync(file);
  port.on('message', (message: 'carry' | 'end') => {
    if (message === 'end') {
      db.close();
      port.close();
      return;
    }
    try {
      // never waits for readers or the writer: what they hold up is carried the next time (sqlite.org/pragma.html#pragma_wal_checkpoint)
      db.exec('PRAGMA wal_checkpoint(PASSIVE)');
    } catch {
      // the writer carries it itself when the log has grown too long
    }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
    port.postMessage('carried');
  });
}
