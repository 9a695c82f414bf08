// One edit of a file at a time: a queue per file in this process.

const queues = new Map<string, Promise<unknown>>();

/** Runs `work` when every earlier holder of any of `keys` is done. Keys are real paths; they are taken in one order. */
export async function locked<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
  const [first, ...rest] = [...new Set(keys)].sort();
  if (first === undefined) return work();
  const before = queues.get(first) ?? Promise.resolve();
  const mine = before.then(
    () => locked(rest, work),
    () => locked(rest, work),
  );
  queues.set(first, mine);
  try {
    return await mine;
  } finally {
    if (queues.get(first) === mine) queues.delete(first);
  }
}
