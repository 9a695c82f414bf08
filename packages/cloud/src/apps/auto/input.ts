// The input of an action as its declaration says it is: declared members only, of their types, strings trimmed.
import { Problem } from '../../core/problem.ts';
import type { PropSpec } from './types.ts';

/** Throws Problem 400 naming the member. What is not declared (`org`, `owner`, ...) is dropped, so it can widen nothing. */
export function inputOf(
  props: readonly PropSpec[],
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const taken: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const { name, type, required } of props) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined || value === null) {
      if (required === true) throw wrong(name, 'is needed');
      continue;
    }
    if (!isOf(value, type)) throw wrong(name, `must be ${type === 'object' || type === 'array' ? 'an' : 'a'} ${type}`);
    const kept = typeof value === 'string' ? value.trim() : value;
    if (required === true && kept === '') throw wrong(name, 'must not be blank');
    taken[name] = kept;
  }
  return taken;
}

function isOf(value: unknown, type: PropSpec['type']): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && !Array.isArray(value);
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value);
  return typeof value === type;
}

function wrong(name: string, what: string): Problem {
  return new Problem(400, `'${name}' ${what}.`, { code: 'invalid_arguments' });
}

/** A declared string; '' where it was left out. */
export function text(input: Readonly<Record<string, unknown>>, name: string): string {
  const value = input[name];
  return typeof value === 'string' ? value : '';
}
