// version: what is running, and on what.
import { release } from 'node:os';
import process from 'node:process';
import { z } from 'zod';
import { act } from '../../local.ts';

export const version = act({
  summary: 'version of this server, platform and runtime',
  effect: 'read',
  input: z.object({}),
  run: (ctx) => ({
    data: {
      hanzo_mcp: ctx.env.config.version,
      platform: process.platform,
      arch: process.arch,
      family: process.platform === 'win32' ? 'windows' : 'unix',
      release: release(),
      runtime: `node ${process.versions.node}`,
    },
  }),
});
