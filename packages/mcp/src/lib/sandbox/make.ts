// The sandbox that the flags ask for.
import type { Config } from '../../config.ts';
import type { Access } from '../access.ts';
import { createSandbox, type Sandbox } from './index.ts';
import { loadRuntime } from './runtime.ts';

/** Rejects with SandboxUnavailable where a list of domains is asked for and cannot be had. */
export async function makeSandbox(config: Config, access: Access): Promise<Sandbox> {
  const { sandbox: mode, sandboxDomains: domains, dataDir } = config;
  if (mode === 'off') throw new Error('no sandbox is asked for');
  const runtime = domains.length > 0 ? await loadRuntime(dataDir, domains, access) : undefined;
  return createSandbox({ mode, access, ...(runtime ? { runtime } : {}) });
}
