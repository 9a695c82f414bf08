// What depends on what in a plan: cycles, depth, what is unlocked. Pure, and without recursion.

/** Step id -> the ids it depends on. Every step is a key. */
export type Dependencies = ReadonlyMap<string, readonly string[]>;

export type StepStatus = 'pending' | 'in_progress' | 'completed' | 'blocked' | 'skipped';

/** A step as far as the order of a plan is concerned. */
export interface Node {
  readonly id: string;
  readonly status: StepStatus;
  readonly dependencies: readonly string[];
}

/** Nothing waits for such a step any more. */
export const isOver = (status: StepStatus): boolean => status === 'completed' || status === 'skipped';

/** The first dependency that is no step, with the step that names it. */
export function findUnknown(graph: Dependencies): { readonly step: string; readonly dependency: string } | undefined {
  for (const [step, dependencies] of graph) {
    const dependency = dependencies.find((each) => !graph.has(each));
    if (dependency !== undefined) return { step, dependency };
  }
  return undefined;
}

/** One cycle as the path along it, its first step again at the end (`['1.1', '1.2', '1.1']`); undefined when there is none. */
export function findCycle(graph: Dependencies): string[] | undefined {
  const left = new Set<string>();
  for (const root of graph.keys()) {
    const path: string[] = [];
    const onPath = new Set<string>();
    const todo: { readonly id: string; next: number }[] = [];
    const enter = (id: string): void => {
      todo.push({ id, next: 0 });
      path.push(id);
      onPath.add(id);
    };
    if (!left.has(root)) enter(root);
    for (let top = todo.at(-1); top; top = todo.at(-1)) {
      const dependency = graph.get(top.id)?.[top.next++];
      if (dependency === undefined) {
        left.add(top.id);
        onPath.delete(top.id);
        path.pop();
        todo.pop();
      } else if (onPath.has(dependency)) {
        return [...path.slice(path.indexOf(dependency)), dependency];
      } else if (!left.has(dependency) && graph.has(dependency)) {
        enter(dependency);
      }
    }
  }
  return undefined;
}

/**
 * The steps by depth: in level 0 those that depend on nothing, in level n those whose deepest dependency is in n - 1. Steps on a
 * cycle or behind one have no depth and are in `rest`. Dependencies that are no steps do not count.
 */
export function levels(graph: Dependencies): { readonly levels: string[][]; readonly rest: string[] } {
  const waiting = new Map<string, number>();
  const dependents = new Map<string, string[]>();
  for (const [id, dependencies] of graph) {
    const known = new Set(dependencies.filter((each) => graph.has(each)));
    waiting.set(id, known.size);
    for (const each of known) {
      const others = dependents.get(each);
      if (others) others.push(id);
      else dependents.set(each, [id]);
    }
  }
  const place = new Map([...graph.keys()].map((id, i) => [id, i]));
  const found: string[][] = [];
  let level = [...graph.keys()].filter((id) => waiting.get(id) === 0);
  const placed = new Set<string>();
  while (level.length > 0) {
    found.push(level);
    const next = new Set<string>();
    for (const id of level) {
      placed.add(id);
      for (const each of dependents.get(id) ?? []) {
        const left = (waiting.get(each) ?? 0) - 1;
        waiting.set(each, left);
        if (left === 0) next.add(each);
      }
    }
    // In the order of the plan, not in that in which they were found.
    level = [...next].toSorted((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0));
  }
  return { levels: found, rest: [...graph.keys()].filter((id) => !placed.has(id)) };
}

/** Ids of the pending steps whose dependencies are all completed or skipped, in the order of the plan. */
export function unlocked(steps: readonly Node[]): string[] {
  const over = new Set(steps.filter(({ status }) => isOver(status)).map(({ id }) => id));
  return steps
    .filter(({ status, dependencies }) => status === 'pending' && dependencies.every((each) => over.has(each)))
    .map(({ id }) => id);
}
