// What a change must not bring into a plan: a dependency that is no step of it, and a cycle.
import { shorten, ToolError } from '@hanzo/tool';
import { findCycle, findUnknown } from './graph.ts';
import { type Plan, namesOf, type Step, stepIdOf } from './plans.ts';

/** Dependencies as ids of this plan, each once; `2` is `<plan>.2`. Whether they are steps is checked by `checkGraph`. */
export function idsOf(plan: Plan, given: readonly string[]): string[] {
  return [...new Set(given.map((each) => stepIdOf(plan, each)))];
}

/** INVALID_PARAMS, with the step and the dependency, or with the cycle. */
export function checkGraph(plan: Plan, steps: readonly Pick<Step, 'id' | 'dependencies'>[]): void {
  const graph = new Map(steps.map(({ id, dependencies }) => [id, dependencies]));
  const unknown = findUnknown(graph);
  if (unknown) {
    throw new ToolError(
      'INVALID_PARAMS',
      `step ${unknown.step} depends on '${shorten(unknown.dependency)}', which is no step of plan ${plan.id}; ${namesOf(steps.filter(({ id }) => id !== unknown.step))}`,
      { param: 'dependencies', step: unknown.step, dependency: shorten(unknown.dependency) },
    );
  }
  const cycle = findCycle(graph);
  if (!cycle) return;
  const shown = cycle.length > 12 ? [...cycle.slice(0, 10), '…', cycle.at(-1)] : cycle;
  const why =
    cycle.length === 2
      ? `step ${cycle[0]} would depend on itself`
      : `${shown.join(' -> ')} is a cycle: none of them could begin. Leave one of these dependencies out`;
  throw new ToolError('INVALID_PARAMS', why, { param: 'dependencies', cycle: cycle.slice(0, 50) });
}
