// hierarchy: what a type extends and implements, and what extends it, through the project; a cycle ends where it closes.
import path from 'node:path';
import { type ActionResult, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { declarationsOf, type Edge, supertypesOf } from '../../lib/syntax/index.ts';
import { listOf } from '../../lib/search/ask.ts';
import { toUri } from '../../lib/path.ts';
import { act, type Ctx } from '../../local.ts';
import { answer, type Item, pageOf } from './page.ts';
import { cursor, limit, pattern, uri } from './params.ts';
import { Budget, globsOf, sourceAt } from './project.ts';
import { nameOf, parsing, type Place, placeOf } from './source.ts';
import { TYPE_KINDS } from './symbols.ts';

/** Types that are followed, and how far from the one that was asked for. */
const TYPES = 300;
const DEEPEST = 20;

export const hierarchy = act({
  summary: 'supertypes and subtypes of a type, by name',
  effect: 'read',
  input: z.strictObject({ query: z.string(), uri, pattern, cursor, max_results: limit(200) }),
  async run(ctx, input): Promise<ActionResult> {
    const place = await placeOf(ctx, input.uri);
    const name = nameOf(ctx, input.query);
    const world = new World(ctx, place, input.pattern);
    const root = (await world.type(name)).declared[0];
    const up = await grow(world, name, 'up');
    const down = await grow(world, name, 'down');
    if (!root && up.length === 0 && down.length === 0) {
      throw new ToolError('NOT_FOUND', `no type '${name}' is declared or extended in ${place.file}`, {
        uri: toUri(place.file),
      });
    }
    const base = place.directory ? place.file : path.dirname(place.file);
    const where = (spot: Spot): string => `${path.relative(base, spot.file) || path.basename(spot.file)}:${spot.line}`;
    const items: Item[] = [
      {
        text: root ? `${root.kind} ${name} ${where(root)}` : `${name} (declared elsewhere)`,
        json: { name, ...(root ? { kind: root.kind, uri: toUri(root.file), line: root.line } : {}) },
      },
      ...up.map((each) => branchItem(each, 'supertypes', where)),
      ...down.map((each) => branchItem(each, 'subtypes', where)),
    ];
    const page = pageOf(ctx, items, { key: 'tree', cursor: input.cursor, limit: input.max_results });
    return answer(page, {
      root: name,
      ...(root ? { kind: root.kind, uri: toUri(root.file), line: root.line } : {}),
      supertypes: up.filter(({ depth }) => depth === 1).map((each) => each.name),
      children: down
        .filter(({ depth }) => depth === 1)
        .slice(0, 100)
        .map((each) => each.name),
      total: up.length + down.length,
      ...(world.partial ? { partial: true, note: 'stopped at a limit; narrow it by uri or pattern' } : {}),
    });
  },
});

interface Spot {
  readonly file: string;
  readonly line: number;
}

interface Branch {
  readonly name: string;
  readonly how: string;
  readonly depth: number;
  readonly spot: Spot | undefined;
  /** it is told above already */
  readonly again: boolean;
}

function branchItem({ name, how, depth, spot, again }: Branch, group: string, where: (spot: Spot) => string): Item {
  const place = spot ? ` ${where(spot)}` : ' (declared elsewhere)';
  return {
    group: `${group}:`,
    text: `${'  '.repeat(depth)}${how} ${name}${place}${again ? ' (as above)' : ''}`,
    json: { relation: group, name, how, depth, ...(spot ? { uri: toUri(spot.file), line: spot.line } : {}) },
  };
}

/** The types above or below one, each before those further away from it; breadth is bounded, and no type is entered twice. */
async function grow(world: World, root: string, way: 'up' | 'down'): Promise<Branch[]> {
  const found: Branch[] = [];
  const seen = new Set([root]);
  // a stack, so that a branch is told before the next one begins
  const waiting: { name: string; depth: number }[] = [{ name: root, depth: 0 }];
  const told: Branch[] = [];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const here = told.pop();
    if (here) found.push(here);
    if (here?.again === true) continue;
    if (next.depth >= DEEPEST || seen.size >= TYPES) {
      world.partial = true;
      continue;
    }
    const { edges } = await world.type(next.name);
    const related = edges.filter((edge) => (way === 'up' ? edge.name : edge.of) === next.name);
    const branches: Branch[] = [];
    for (const edge of related) {
      const name = way === 'up' ? edge.of : edge.name;
      if (branches.some((each) => each.name === name && each.how === edge.how)) continue;
      const spot = way === 'up' ? (await world.type(name)).declared[0] : edge;
      branches.push({ name, how: edge.how, depth: next.depth + 1, spot, again: seen.has(name) });
      seen.add(name);
    }
    for (const branch of branches.toReversed()) {
      waiting.push({ name: branch.name, depth: branch.depth });
      told.push(branch);
    }
  }
  return found;
}

interface Type {
  readonly declared: readonly (Spot & { readonly kind: string })[];
  readonly edges: readonly (Edge & { readonly file: string })[];
}

/** What is known of the types of a tree; every file is parsed once. */
class World {
  partial = false;
  readonly #ctx: Ctx;
  readonly #place: Place;
  readonly #globs: readonly string[];
  readonly #budget = new Budget();
  readonly #types = new Map<string, Type>();
  readonly #files = new Map<string, { edges: Type['edges']; types: ReadonlyMap<string, Spot & { kind: string }> }>();

  constructor(ctx: Ctx, place: Place, glob: string | undefined) {
    this.#ctx = ctx;
    this.#place = place;
    this.#globs = globsOf(place, glob);
  }

  async type(name: string): Promise<Type> {
    const known = this.#types.get(name);
    if (known) return known;
    const files = await this.#filesWith(name);
    const declared: (Spot & { kind: string })[] = [];
    const edges: (Edge & { file: string })[] = [];
    for (const file of files) {
      const { edges: all, types } = await this.#read(file);
      const own = types.get(name);
      if (own) declared.push(own);
      edges.push(...all.filter((edge) => edge.name === name || edge.of === name));
    }
    const type = { declared, edges };
    this.#types.set(name, type);
    return type;
  }

  async #filesWith(name: string): Promise<readonly string[]> {
    const { file: root, directory } = this.#place;
    return this.#ctx.env.indexes.use(root, directory, async (index) => {
      const symbol = { name, path: root, globs: this.#globs };
      const { found } = await listOf(this.#ctx, index, { symbol }, true);
      this.partial ||= found.partial;
      return found.files.map(({ file }) => file);
    });
  }

  async #read(file: string) {
    const known = this.#files.get(file);
    if (known) return known;
    const types = new Map<string, Spot & { kind: string }>();
    let edges: Type['edges'] = [];
    if (this.#budget.spent) this.partial = true;
    const source = this.#budget.spent ? undefined : await sourceAt(this.#ctx, file);
    if (source) {
      await parsing(this.#ctx, source, (parsed) => {
        edges = supertypesOf(parsed).map((edge) => ({ ...edge, file }));
        for (const { name, kind, line } of declarationsOf(parsed)) {
          if (TYPE_KINDS.has(kind) || kind === 'namespace') types.set(name, { file, line, kind });
        }
      }).catch((error: unknown) => {
        if (!(error instanceof ToolError && error.code === 'TIMEOUT')) throw error;
        this.partial = true;
      });
    }
    const read = { edges, types };
    this.#files.set(file, read);
    return read;
  }
}
