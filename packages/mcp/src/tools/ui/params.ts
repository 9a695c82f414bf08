// Parameters that the actions of this tool share, and what they resolve to.
import { z } from 'zod';
import type { Ctx } from '../../local.ts';
import { type Project, readProject } from './project/project.ts';
import { type Place, Places } from './registry/place.ts';

export const component = z.string().min(1).describe('name or @registry/name');
export const registry = z.string().optional();
export const cursor = z.string().optional();
export const limit = z
  .int()
  .refine((value) => value >= 1 && value <= 1000, 'is from 1 to 1000')
  .default(100);
/** The project's folder. */
export const folder = z.string().optional();

export interface Asked {
  readonly project: Project;
  readonly places: Places;
}

/** The project a call is about, and the registries it may ask. */
export async function asked(ctx: Ctx, given: string | undefined): Promise<Asked> {
  const project = await readProject(ctx, given);
  return { project, places: new Places(ctx, project) };
}

/** `@registry/name` taken apart. */
export function splitName(spec: string): { registry: string | undefined; name: string } {
  const slash = spec.indexOf('/');
  return spec.startsWith('@') && slash > 0
    ? { registry: spec.slice(0, slash), name: spec.slice(slash + 1) }
    : { registry: undefined, name: spec };
}

/** The registry and the name that `component` and `registry` mean together. */
export function located({ places }: Asked, spec: string, named: string | undefined): { place: Place; name: string } {
  const { registry: own, name } = splitName(spec);
  return { place: places.find(own ?? named), name };
}
