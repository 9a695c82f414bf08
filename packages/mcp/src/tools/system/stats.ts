// stats: the load of the machine and of this server, and what its folder holds.
import { lstat, readdir } from 'node:fs/promises';
import { availableParallelism, cpus, freemem, loadavg, totalmem } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { z } from 'zod';
import { toUri } from '../../lib/path.ts';
import { act } from '../../local.ts';

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

/** Limits past which `warnings` speaks. */
const MEMORY_PERCENT = 90;
const LOGS_MB = 100;

/** Most files a folder's size is added up from; a folder with more is reported as at least that large. */
const MOST_FILES = 20_000;

interface Sizes {
  logs: number;
  stores: number;
}

/** Bytes of logs and of stores below `folder`; links are not followed. */
async function sizes(folder: string): Promise<Sizes> {
  const sum: Sizes = { logs: 0, stores: 0 };
  const waiting = [folder];
  for (let seen = 0, next = waiting.pop(); next !== undefined && seen < MOST_FILES; next = waiting.pop()) {
    for (const entry of await readdir(next, { withFileTypes: true }).catch(() => [])) {
      const file = path.join(next, entry.name);
      seen += 1;
      if (entry.isDirectory()) waiting.push(file);
      if (!entry.isFile()) continue;
      const { size } = await lstat(file).catch(() => ({ size: 0 }));
      if (/\.log(\.\d+)?$/.test(entry.name) || path.relative(folder, file).startsWith(`logs${path.sep}`))
        sum.logs += size;
      else if (/\.(db|sqlite3?)(-(wal|shm|journal))?$/.test(entry.name)) sum.stores += size;
    }
  }
  return sum;
}

const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

export const stats = act({
  summary: 'load and memory of machine and server, size of its folder, warnings',
  effect: 'read',
  input: z.object({}),
  async run(ctx) {
    const { dataDir } = ctx.env.config;
    const { logs, stores } = await sizes(dataDir);
    const cores = availableParallelism();
    const load = loadavg();
    const total = totalmem();
    const used = total - freemem();
    const percent = round((used / total) * 100, 1);
    const warnings = [
      ...((load[0] ?? 0) > cores ? [`load ${round(load[0] ?? 0)} is above the ${cores} cores`] : []),
      ...(percent > MEMORY_PERCENT ? [`${percent} % of memory is in use`] : []),
      ...(logs / MIB > LOGS_MB ? [`logs take ${round(logs / MIB, 0)} MB`] : []),
    ];
    return {
      data: {
        time: new Date().toISOString(),
        system: {
          cpu_cores: cores,
          ...(cpus().length > cores ? { cpu_cores_total: cpus().length } : {}),
          load_average: load.map((each) => round(each)),
          memory: { total_gb: round(total / GIB), used_gb: round(used / GIB), percent },
        },
        server: {
          pid: process.pid,
          uptime_s: Math.round(process.uptime()),
          memory_mb: round(process.memoryUsage.rss() / MIB, 1),
        },
        hanzo: { dir: toUri(dataDir), logs_mb: round(logs / MIB), db_mb: round(stores / MIB) },
        tools: { local: ctx.env.surface.listed().length, cloud: 0 },
        warnings,
        healthy: warnings.length === 0,
      },
    };
  },
});
