// symbols, outline, exports, types: what one source declares.
import { nearest, shorten, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import {
  type Declaration,
  declarationsOf,
  type Import,
  importsOf,
  type Kind,
  type Parsed,
} from '../../lib/syntax/index.ts';
import { act } from '../../local.ts';
import { answer, type Item, pageOf } from './page.ts';
import { cursor, language, limit, text, uri } from './params.ts';
import { about, parsing, sourceOf } from './source.ts';

/** Modules that an outline names; the rest is counted. */
const MODULES = 50;
/** Deepest keys that an outline of JSON shows. */
const KEYS = 3;

const KINDS: ReadonlySet<Kind> = new Set([
  'function',
  'method',
  'constructor',
  'class',
  'interface',
  'trait',
  'struct',
  'union',
  'enum',
  'enum_member',
  'type',
  'namespace',
  'macro',
  'constant',
  'variable',
  'field',
  'parameter',
  'type_parameter',
  'key',
] as const);

/** Kinds that are worth telling even where they stand within a function. */
const TOLD_LOCAL: ReadonlySet<Kind> = new Set([
  'function',
  'method',
  'constructor',
  'class',
  'interface',
  'trait',
  'struct',
  'enum',
  'type',
] as const);
export const TYPE_KINDS: ReadonlySet<Kind> = new Set([
  'class',
  'interface',
  'trait',
  'struct',
  'union',
  'enum',
  'type',
] as const);

/** What stands in a list of symbols when no kind is asked for: everything but locals. */
export const isTold = ({ local, kind, node }: Declaration): boolean =>
  !local || (TOLD_LOCAL.has(kind) && node !== 'pair');

const source = { uri, text, language };

export const symbols = act({
  summary: 'what a file declares, one line each',
  effect: 'read',
  input: z.strictObject({
    ...source,
    query: z.string().optional(),
    kind: z.string().optional(),
    cursor,
    max_results: limit(500),
  }),
  async run(ctx, input) {
    const kind = input.kind === undefined ? undefined : kindOf(input.kind);
    const found = await sourceOf(ctx, input);
    return parsing(ctx, found, (parsed) => {
      const wanted = input.query?.toLowerCase();
      const chosen = declarationsOf(parsed).filter(
        (each) =>
          (kind === undefined ? isTold(each) : each.kind === kind) &&
          (wanted === undefined || each.name.toLowerCase().includes(wanted)),
      );
      const page = pageOf(ctx, chosen.map(symbolItem), {
        key: 'symbols',
        cursor: input.cursor,
        limit: input.max_results,
      });
      return answer(page, about(found, parsed));
    });
  },
});

function kindOf(given: string): Kind {
  const kind = [...KINDS].find((each) => each === given);
  if (kind) return kind;
  const meant = nearest(given, KINDS);
  throw new ToolError(
    'INVALID_PARAMS',
    `'kind': '${shorten(given, 40)}' is not one of ${[...KINDS].join(', ')}${meant ? `; did you mean ${meant}?` : ''}`,
    { param: 'kind' },
  );
}

/** Longest name that is shown whole. */
const NAME = 300;
const cut = (name: string | undefined): string | undefined => (name === undefined ? undefined : shorten(name, NAME));

function symbolItem(each: Declaration): Item {
  const { kind, line, endLine, exported } = each;
  const [name, parent] = [shorten(each.name, NAME), cut(each.parent)];
  return {
    text: `${line} ${kind} ${parent === undefined ? '' : `${parent}.`}${name}`,
    json: {
      name,
      kind,
      line,
      end_line: endLine,
      ...(parent === undefined ? {} : { parent }),
      ...(exported ? { exported } : {}),
    },
  };
}

export const outline = act({
  summary: 'signatures of what a file declares, indented',
  effect: 'read',
  input: z.strictObject({ ...source, cursor, max_results: limit(500) }),
  async run(ctx, input) {
    const found = await sourceOf(ctx, input);
    return parsing(ctx, found, (parsed) => {
      const chosen = declarationsOf(parsed).filter(
        (each) => isTold(each) && (each.kind !== 'key' || each.depth < KEYS),
      );
      const page = pageOf(ctx, chosen.map(outlineItem), {
        key: 'outline',
        cursor: input.cursor,
        limit: input.max_results,
      });
      return answer(page, { ...about(found, parsed), ...modulesOf(parsed) });
    });
  },
});

function outlineItem(each: Declaration): Item {
  const { kind, line, endLine, exported, signature, depth } = each;
  const [name, parent] = [shorten(each.name, NAME), cut(each.parent)];
  const range = endLine > line ? `${line}-${endLine}` : `${line}`;
  const whose = depth === 0 && parent !== undefined ? `${parent}: ` : '';
  return {
    text: `${'  '.repeat(Math.min(depth, 20))}${range} ${whose}${signature}`,
    json: {
      name,
      kind,
      line,
      end_line: endLine,
      exported,
      signature,
      ...(parent === undefined ? {} : { parent }),
    },
  };
}

/** `imports`: the modules a source names, each once. */
export function modulesOf(parsed: Parsed): Record<string, unknown> {
  const modules = [...new Set(importsOf(parsed).map(({ module }) => module))];
  if (modules.length === 0) return {};
  return {
    imports: modules.slice(0, MODULES).map((each) => shorten(each, 200)),
    ...(modules.length > MODULES ? { import_count: modules.length } : {}),
  };
}

export const exports = act({
  summary: 'what a file offers others, re-exports too',
  effect: 'read',
  input: z.strictObject({ ...source, cursor, max_results: limit(500) }),
  async run(ctx, input) {
    const found = await sourceOf(ctx, input);
    return parsing(ctx, found, (parsed) => {
      const own = declarationsOf(parsed)
        .filter(({ exported, member }) => exported && !member)
        .map((each) => ({ at: each.nameStart, item: exportItem(each) }));
      const again = importsOf(parsed)
        .filter(({ form }) => form === 'export' || form === 'pub use')
        .map((each) => ({ at: each.startIndex, item: reExportItem(parsed, each) }));
      const items = [...own, ...again].toSorted((a, b) => a.at - b.at).map(({ item }) => item);
      const page = pageOf(ctx, items, { key: 'exports', cursor: input.cursor, limit: input.max_results });
      return answer(page, about(found, parsed));
    });
  },
});

function exportItem({ name, kind, line, signature }: Declaration): Item {
  return { text: `${line} ${signature}`, json: { name: shorten(name, NAME), kind, line, signature } };
}

function reExportItem(parsed: Parsed, { module, names, line, form }: Import): Item {
  const list = names.map(({ name, local }) => (name === local ? name : `${name} as ${local}`));
  const what = list.length > 0 ? shorten(list.join(', '), 400) : '*';
  return {
    text: `${line} ${form === 'export' ? `export ${what} from ${shorten(module, NAME)}` : parsed.lines.text(line, 400).trim()}`,
    json: { line, from: shorten(module, NAME), names: names.slice(0, 1000).map(({ local }) => shorten(local, NAME)) },
  };
}

export const types = act({
  summary: 'the types a file declares, with their text',
  effect: 'read',
  input: z.strictObject({ ...source, cursor, max_results: limit(200) }),
  async run(ctx, input) {
    const found = await sourceOf(ctx, input);
    return parsing(ctx, found, (parsed) => {
      const chosen = declarationsOf(parsed).filter(({ kind }) => TYPE_KINDS.has(kind));
      const items = chosen.map((each) => typeItem(parsed, each));
      const page = pageOf(ctx, items, { key: 'types', cursor: input.cursor, limit: input.max_results });
      return answer(page, about(found, parsed));
    });
  },
});

/** Longest text of a type that is shown whole; of a longer one its signature. */
const TYPE_TEXT = 2000;

function typeItem({ text: all }: Parsed, each: Declaration): Item {
  const { kind, line, endLine, signature, startIndex, endIndex } = each;
  const name = shorten(each.name, NAME);
  // a class's text is its code; what it is as a type is its signature
  const whole = kind !== 'class' && kind !== 'trait' && endIndex - startIndex <= TYPE_TEXT;
  const shown = whole ? all.slice(startIndex, endIndex) : signature;
  return {
    text: `${endLine > line ? `${line}-${endLine}` : line} ${kind} ${name}\n${shown}\n`,
    json: { name, kind, line, end_line: endLine, text: shown },
  };
}
