// The files that are written from the operations: the catalog, and one page of reference for each app.
import { catalogOf, phrasesOf, surfaceOf } from '../core/names.ts';
import type { App } from '../core/app.ts';
import type { Op } from '../core/op.ts';
import { refusalsOf } from '../core/openapi.ts';
import { flatInput } from '../core/schema.ts';

interface Member {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
}

/** Texts by their paths in the repository. */
export function generatedFiles(apps: readonly App[]): ReadonlyMap<string, string> {
  const ops = apps.flatMap((app) => app.ops);
  const sorted = [...apps].sort((a, b) => (a.name < b.name ? -1 : 1));
  return new Map([
    ['packages/cloud/catalog.json', catalogOf(ops)],
    ['docs/reference/README.md', indexPage(sorted)],
    ...sorted.map((app) => [`docs/reference/${app.name}.md`, pageOf(app, ops)] as const),
  ]);
}

const MADE =
  'Written from the operations by `node --conditions=hanzo-source scripts/reference.ts`; changes by hand are lost.';

function indexPage(apps: readonly App[]): string {
  return [
    '# Operations of the plane',
    '',
    MADE,
    '',
    'The same as a document for programs: `GET /v1/openapi.json`. Refusals are problem documents (RFC 9457) with `status`, `title`, `detail`, `code` and `requestId`.',
    '',
    ...apps.map(({ name, title, ops }) => `- [${title}](${name}.md): ${ops.length} operations under \`/v1/${name}\``),
    '',
  ].join('\n');
}

function pageOf({ title, ops }: App, all: readonly Op[]): string {
  const phrases = phrasesOf(all);
  const surface = surfaceOf(all);
  const ordered = [...ops].sort((a, b) =>
    a.path === b.path ? (a.method < b.method ? -1 : 1) : a.path < b.path ? -1 : 1,
  );
  return [
    `# ${title}`,
    '',
    MADE,
    '',
    ...ordered.flatMap((op) => sectionOf(op, phrases, surface.find(op.id) !== undefined)),
  ].join('\n');
}

const WHO = {
  none: 'anybody',
  member: 'any member',
  admin: 'admins of the organization, and operators',
  operator: 'operators of the plane',
} as const;

function sectionOf(op: Op, phrases: ReadonlyMap<string, string>, offered: boolean): readonly string[] {
  const members = Object.entries((flatInput(op).properties ?? {}) as Record<string, Member>);
  const required = new Set((flatInput(op).required ?? []) as readonly string[]);
  const placeOf = (name: string): string =>
    name in (op.input.params?.shape ?? {}) ? 'path' : name in (op.input.query?.shape ?? {}) ? 'query' : 'body';
  return [
    `## ${op.method} ${op.path}`,
    '',
    op.description === undefined ? op.summary : `${op.summary} ${op.description}`,
    '',
    `- Operation \`${op.id}\`${offered ? `; agents call it \`${phrases.get(op.id) ?? op.id}\`` : '; not offered to agents'}`,
    `- For ${WHO[op.auth]}; a success is ${op.status}${op.answer === undefined ? ' without a body' : ''}`,
    '',
    ...(members.length === 0
      ? []
      : [
          '| input | in | type | |',
          '|---|---|---|---|',
          ...members.map(
            ([name, member]) =>
              `| \`${name}\`${required.has(name) ? ' *' : ''} | ${placeOf(name)} | ${typeOf(member)} | ${cell(member)} |`,
          ),
          '',
        ]),
    ...refusalsOf(op).map(([status, what]) => `- ${status}: ${what}`),
    '',
  ];
}

function typeOf({ type, enum: values }: Member): string {
  if (values !== undefined) return values.map((each) => `\`${String(each)}\``).join(', ');
  return type === undefined ? 'any' : [type].flat().join(' or ');
}

function cell({ description = '', default: given }: Member): string {
  const stated = given === undefined || description.includes('default') ? '' : `default \`${JSON.stringify(given)}\``;
  return [description, stated]
    .filter((each) => each !== '')
    .join('; ')
    .replaceAll('|', '\\|');
}
