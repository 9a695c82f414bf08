// Which declaration of its own file a name means at a place: that of the nearest scope around.
import { type Declaration, declarationsNamed } from './declarations.ts';
import { rowOf } from './languages/index.ts';
import type { Parsed } from './parse.ts';

/**
 * The declarations that a bare name at an index means, by the nearest scope that has any: one, or several where a scope
 * declares a name more than once (overloads, a function and its signatures). Empty if the file declares it nowhere around.
 */
export function resolveIn(parsed: Parsed, name: string, index: number): readonly Declaration[] {
  const members = rowOf(parsed.language).bareMembers === true;
  const own: Declaration[] = [];
  let nearest: Declaration[] = [];
  let size = Infinity;
  for (const each of declarationsNamed(parsed, name)) {
    if (each.nameStart <= index && index <= each.nameEnd) own.push(each);
    if (each.member && !members) continue;
    if (index < each.scopeStart || index > each.scopeEnd) continue;
    const extent = each.scopeEnd - each.scopeStart;
    if (extent < size) {
      nearest = [each];
      size = extent;
    } else if (extent === size) nearest.push(each);
  }
  if (own.length > 0) return own;
  // of variables that shadow each other in one scope the last before the place is meant
  const before = nearest.filter(({ nameStart }) => nameStart <= index);
  const last = before.at(-1);
  return last?.local && (last.kind === 'variable' || last.kind === 'constant') ? [last] : nearest;
}

/** Members of the type around an index, by name: what `this.name` means there. */
export function membersAround(parsed: Parsed, name: string, index: number): readonly Declaration[] {
  let nearest: Declaration[] = [];
  let size = Infinity;
  for (const each of declarationsNamed(parsed, name)) {
    if (!each.member || index < each.scopeStart || index > each.scopeEnd) continue;
    const extent = each.scopeEnd - each.scopeStart;
    if (extent < size) {
      nearest = [each];
      size = extent;
    } else if (extent === size) nearest.push(each);
  }
  return nearest;
}
