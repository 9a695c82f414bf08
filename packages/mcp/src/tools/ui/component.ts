// get_component, get_metadata, get_demo: one item, with the text of its files or without.
import { type ActionResult, type Body, utf8Length } from '@hanzo/tool';
import { z } from 'zod';
import { act, type Ctx } from '../../local.ts';
import { asked, component, folder, located, registry } from './params.ts';
import type { Place } from './registry/place.ts';
import { readItem, type WholeItem } from './registry/registry.ts';

const one = z.strictObject({ component, registry, path: folder });

/** What an item is but its text. Lists that are empty are left out. */
function facts(place: Place, item: WholeItem): Record<string, unknown> {
  const lists = {
    categories: item.categories,
    dependencies: item.dependencies,
    dev_dependencies: item.devDependencies,
    registry_dependencies: item.registryDependencies,
    // names only: what a registry suggests as values is for a person to look at
    env_vars: item.envVars && Object.keys(item.envVars),
    css_vars: item.cssVars && Object.keys(item.cssVars),
  };
  return {
    component: item.name,
    registry: place.name,
    source: place.shown,
    type: item.type.replace(/^registry:/, ''),
    ...(item.title ? { title: item.title } : {}),
    ...(item.description ? { description: item.description } : {}),
    ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list && list.length > 0)),
    ...(item.css === undefined ? {} : { css: true }),
    ...(item.docs ? { docs: item.docs } : {}),
    files: item.files.map((file) => ({
      path: file.path,
      type: file.type.replace(/^registry:/, ''),
      ...(file.target ? { target: file.target } : {}),
      bytes: utf8Length(file.content),
    })),
  };
}

/** The files one after the other, each under its name; the only one bare. */
function text(item: WholeItem): Body[] {
  if (item.files.length === 0) return [];
  const [only] = item.files;
  const whole =
    item.files.length === 1
      ? (only?.content ?? '')
      : item.files.map((file) => `==> ${file.path} <==\n${file.content.replace(/\n?$/, '\n')}`).join('\n');
  return [{ kind: 'text', key: 'text', text: whole }];
}

async function get(ctx: Ctx, input: z.output<typeof one>, suffix = ''): Promise<{ place: Place; item: WholeItem }> {
  const { place, name } = located(await asked(ctx, input.path), input.component, input.registry);
  return { place, item: await readItem(ctx, place, `${name}${suffix}`) };
}

export const getComponent = act({
  summary: 'an item and the text of its files',
  effect: 'network',
  input: one,
  async run(ctx, input): Promise<ActionResult> {
    const { place, item } = await get(ctx, input);
    return { data: facts(place, item), bodies: text(item) };
  },
});

export const getMetadata = act({
  summary: 'the same without the text',
  effect: 'network',
  input: one,
  async run(ctx, input): Promise<ActionResult> {
    const { place, item } = await get(ctx, input);
    return { data: facts(place, item) };
  },
});

export const getDemo = act({
  summary: 'the item NAME-demo, where the registry has one',
  effect: 'network',
  input: one,
  async run(ctx, input): Promise<ActionResult> {
    const { place, item } = await get(ctx, input, '-demo');
    return { data: facts(place, item), bodies: text(item) };
  },
});
