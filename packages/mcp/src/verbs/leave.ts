// The end of the process, whatever its threads do: a read that never returns would hold `process.exit` for ever.
import process from 'node:process';

/** Milliseconds a process with nothing left to do has to end by itself. */
const GRACE = 1000;

/** Requests in the hands of a thread: the file system, name look-ups, randomness. `process.exit` waits for each of them. */
const HELD = /Req/;

/**
 * Sees to it that the process ends: by itself, which is the rule, or after `grace` milliseconds by force. Output that is still
 * being read is waited for. Call it when everything is closed and `process.exitCode` is about to be set to `code`.
 */
export function leaveSoon(code: number, grace = GRACE): void {
  setTimeout(() => {
    const { stdout } = process;
    if (stdout.writableLength > 0 && !stdout.destroyed) leaveSoon(code, grace);
    else leaveNow(code);
  }, grace).unref();
}

/** Ends the process now. Where a thread is stuck the exit code is that of SIGKILL, which is all that ends such a process. */
export function leaveNow(code: number): void {
  if (!process.getActiveResourcesInfo().some((each) => HELD.test(each))) process.exit(code);
  process.emit('exit', code);
  process.kill(process.pid, 'SIGKILL');
}

/** Waits for `work`, at most `time` milliseconds. */
export async function within(time: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, time);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
