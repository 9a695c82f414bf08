// How much an organization may have under way at once: a count in this process.
import { Problem } from './problem.ts';

export interface Limiter {
  /** runs `work`, or rejects with Problem 429 where the organization has `most` under way */
  within<T>(org: string, work: () => Promise<T>): Promise<T>;
}

export function createLimiter(most: number): Limiter {
  const under = new Map<string, number>();
  return {
    async within(org, work) {
      const now = under.get(org) ?? 0;
      if (now >= most) {
        throw new Problem(
          429,
          `too many concurrent calls: ${most} of this organization are under way; try again when one has ended.`,
        );
      }
      under.set(org, now + 1);
      try {
        return await work();
      } finally {
        const left = (under.get(org) ?? 1) - 1;
        if (left === 0) under.delete(org);
        else under.set(org, left);
      }
    },
  };
}
