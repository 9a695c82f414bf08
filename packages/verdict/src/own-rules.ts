// Rules of an organisation or a user, laid over those of the package. What may make them milder is decided where a file is read.
import { classify } from './classify.ts';
import { type OwnRules, OwnRulesError } from './own/parse.ts';
import type { ProgramRule } from './rules/types.ts';
import type { Decision, RuleSet } from './types.ts';

/** The rules with those of `own`, in the order given; a later program that replaces wins. */
export function withOwnRules(rules: RuleSet, own: readonly OwnRules[]): RuleSet {
  const replaced = new Map<string, ProgramRule>();
  const besides = new Map<string, ProgramRule[]>();
  for (const { rule, replaces } of own.flatMap(({ programs }) => programs)) {
    for (const name of rule.names) {
      if (replaces) replaced.set(name, rule);
      else besides.set(name, [...(besides.get(name) ?? []), rule]);
    }
  }
  return {
    find: (program) => replaced.get(program) ?? rules.find(program),
    besides: (program) => [...(rules.besides?.(program) ?? []), ...(besides.get(program) ?? [])],
    overrides: [...rules.overrides, ...own.flatMap(({ rows }) => rows)],
  };
}

/**
 * Runs the examples of the programs in `own`, in a project folder of a home of its own. OwnRulesError for the first that gets another
 * decision than it names.
 */
export function checkExamples(rules: RuleSet, own: readonly OwnRules[]): void {
  const all = withOwnRules(rules, own);
  for (const { rule, source } of own.flatMap(({ programs }) => programs)) {
    for (const [command, expected] of Object.entries<Decision>(rule.examples)) {
      const cwd = '/home/dev/project';
      const { decision, reasons } = classify({ command, cwd, machine: { home: '/home/dev' }, rules: all });
      if (decision === expected) continue;
      const why = reasons[0] ? ` (${reasons[0].message})` : '';
      throw new OwnRulesError(
        `${source}: the example ${JSON.stringify(command)} of ${rule.names[0]} gets ${decision}, not ${expected}${why}`,
      );
    }
  }
}
