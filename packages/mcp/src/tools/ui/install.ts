// install: what an item would write, as a patch; with `apply` it is written, all of it or nothing.
import { type ActionResult, type Body, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { toUri } from '../../lib/path.ts';
import { act, type Ctx } from '../../local.ts';
import { asked, component, folder, located, registry } from './params.ts';
import { type Planned, plannedFiles, patchOf, write } from './files.ts';
import type { Project } from './project/project.ts';
import type { WholeItem } from './registry/registry.ts';
import { resolveTree } from './tree.ts';

export const install = act({
  summary: 'preview of the files an item and what it needs would write; apply writes them, all or nothing',
  effect: 'write',
  input: z.strictObject({
    component,
    registry,
    path: folder,
    overwrite: z.boolean().default(false),
    apply: z.boolean().default(false),
  }),
  async run(ctx, input): Promise<ActionResult> {
    const request = await asked(ctx, input.path);
    const { place, name } = located(request, input.component, input.registry);
    const items = await resolveTree(ctx, request.places, place, name);
    const files = await plannedFiles(ctx, items, request.project, input.apply);
    const result = answer(request.project, place.name, name, items, files);
    const taken = files.filter(({ status }) => status === 'exists');
    if (!input.apply) {
      const refusal =
        taken.length > 0 && !input.overwrite
          ? { note: `${taken.length} of the files exist and differ: apply needs overwrite` }
          : {};
      return { data: { ...result, applied: false, ...refusal }, bodies: preview(ctx, files) };
    }
    if (taken.length > 0 && !input.overwrite) {
      const names = taken.slice(0, 5).map((each) => each.relative);
      throw new ToolError(
        'CONFLICT',
        `nothing was written: ${names.join(', ')}${taken.length > 5 ? ` and ${taken.length - 5} more` : ''} exist${taken.length === 1 ? 's' : ''} and differ${taken.length === 1 ? 's' : ''}; give overwrite: true to replace`,
        { files: taken.slice(0, 50).map((each) => toUri(each.file)) },
      );
    }
    await write(files.filter(({ status }) => status !== 'same'));
    return { data: { ...result, applied: true } };
  },
});

function answer(
  project: Project,
  registryName: string,
  name: string,
  items: readonly WholeItem[],
  files: readonly Planned[],
): Record<string, unknown> {
  const gather = (of: (item: WholeItem) => readonly string[] | undefined): string[] =>
    [...new Set(items.flatMap((item) => of(item) ?? []))].sort();
  const lists = {
    // Named, not installed: that is the project's package manager's, and a person's to decide.
    dependencies: gather((item) => item.dependencies),
    dev_dependencies: gather((item) => item.devDependencies),
    env_vars: gather((item) => item.envVars && Object.keys(item.envVars)),
  };
  const by_hand = items.flatMap((item) => byHand(item, project));
  return {
    component: name,
    registry: registryName,
    project: toUri(project.root),
    items: items.map((item) => item.name),
    files: files.map(({ file, status, item, bytes }) => ({ uri: toUri(file), status, item, bytes: bytes.length })),
    ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
    ...(by_hand.length > 0 ? { by_hand } : {}),
    ...(project.notes.length > 0 ? { notes: project.notes } : {}),
  };
}

/** What an item wants that is not a file, and so is left to whoever knows the project. */
function byHand(item: WholeItem, project: Project): string[] {
  const css = project.css ?? "the project's style sheet";
  const variables = Object.entries(item.cssVars ?? {}).map(
    ([theme, each]) =>
      `${theme} ${Object.entries(each ?? {})
        .slice(0, 40)
        .map(([key, value]) => `--${key.replace(/^--/, '')}: ${value};`)
        .join(' ')}`,
  );
  return [
    ...variables.map((each) => `${item.name}: add to ${css}: ${each}`),
    ...(item.css === undefined ? [] : [`${item.name}: has css rules for ${css}; the item shows them`]),
    ...(item.tailwind === undefined ? [] : [`${item.name}: has settings for the Tailwind configuration`]),
    ...(item.docs ? [`${item.name}: ${item.docs}`] : []),
  ];
}

/** The patch that `fs patch` would take; what does not fit is named, not cut in two. */
function preview(ctx: Ctx, files: readonly Planned[]): Body[] {
  const text = patchOf(
    files.filter(({ status }) => status !== 'same'),
    ctx.maxOutput,
  );
  return text === '' ? [] : [{ kind: 'text', key: 'patch', text }];
}
