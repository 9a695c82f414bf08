// Reads the lines of a page: on the calling thread while that is little, else on the pool's.
import { excerpt, type Excerpt, type ExcerptJob } from './excerpt.ts';
import type { Pool } from './pool.ts';
import { toolsFor } from './work.ts';

/** Files and bytes that are read on the calling thread at most. */
const FEW_FILES = 64;
const FEW_BYTES = 8 * 1024 * 1024;

export async function readExcerpts(pool: Pool, jobs: readonly ExcerptJob[]): Promise<readonly Excerpt[]> {
  const bytes = jobs.reduce((sum, job) => sum + job.stamp[1]!, 0);
  if (jobs.length > FEW_FILES || bytes > FEW_BYTES) return Promise.all(jobs.map((job) => pool.excerpt(job)));
  const [first] = jobs;
  if (!first) return [];
  const tools = await toolsFor(first.how);
  return jobs.map((job) => excerpt(job, tools));
}
