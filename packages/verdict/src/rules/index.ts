// All rules of this package, by the name of the program.
import type { RuleSet } from '../types.ts';
import { shellRules } from './shell.ts';
import { fileRules } from './files.ts';
import { buildRules } from './builds.ts';
import { packageRules } from './packages.ts';
import { gitRules } from './git.ts';
import { networkRules } from './network.ts';
import { textRules } from './text.ts';
import { archiveRules } from './archives.ts';
import { cloudRules } from './clouds.ts';
import { containerRules } from './containers.ts';
import { databaseRules } from './databases.ts';
import { desktopRules } from './desktop.ts';
import { editorRules } from './editors.ts';
import { systemRules } from './system.ts';
import type { ProgramRule } from './types.ts';

export const FAMILIES: Readonly<Record<string, readonly ProgramRule[]>> = {
  shell: shellRules,
  files: fileRules,
  text: textRules,
  network: networkRules,
  git: gitRules,
  packages: packageRules,
  builds: buildRules,
  archives: archiveRules,
  editors: editorRules,
  system: systemRules,
  containers: containerRules,
  clouds: cloudRules,
  databases: databaseRules,
  desktop: desktopRules,
};

let standard: RuleSet | undefined;

export function standardRules(): RuleSet {
  if (standard) return standard;
  const byName = new Map<string, ProgramRule>();
  for (const rule of Object.values(FAMILIES).flat()) {
    for (const name of rule.names) {
      if (byName.has(name)) throw new Error(`two rules for ${name}`);
      byName.set(name, rule);
    }
  }
  standard = { find: (program) => byName.get(program), overrides: [] };
  return standard;
}
