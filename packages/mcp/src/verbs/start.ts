// What must be right before anything is served: a broken file of rules, or a sandbox that cannot be had, stops the start.
import { statSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../config.ts';
import { UsageError } from '../flags.ts';

/** Throws UsageError with what would be right. Loads nothing where there is nothing to check. */
export async function checkStart(config: Config): Promise<void> {
  const roots = [config.cwd, ...config.roots];
  const files = [
    path.join(config.dataDir, 'verdict.json'),
    ...roots.map((each) => path.join(each, '.hanzo', 'verdict.json')),
  ];
  try {
    if (files.some(exists)) (await import('../lib/verdict.ts')).checkRules(config.dataDir, roots);
    if (config.sandboxDomains.length > 0) (await import('../lib/sandbox/runtime.ts')).findRuntime(config.dataDir);
  } catch (error) {
    if (error instanceof Error && /^(OwnRulesError|SandboxUnavailable)$/.test(error.name))
      throw new UsageError(error.message);
    throw error;
  }
}

function exists(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true; // it is there, but cannot be looked at: reading it says why
  }
}
