// One entry of the public registry, as the catalog keeps it: what is read of it, and what is derived (contract, tool plane 2.6).
import { createHash } from 'node:crypto';

export interface PackageRef {
  readonly registry: string;
  readonly identifier: string;
  readonly version?: string;
  readonly runtime?: string;
  readonly transport: string;
}

export interface RemoteRef {
  readonly transport: string;
  readonly url: string;
}

export interface Entry {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly title: string;
  readonly description: string;
  readonly repo: string;
  readonly site: string;
  readonly version: string;
  readonly icon: string;
  readonly transports: readonly string[];
  readonly packages: readonly PackageRef[];
  readonly remotes: readonly RemoteRef[];
  readonly official: boolean;
  /** of what the publisher says: tells a changed entry */
  readonly digest: string;
}

/** A namespace without underscores and one slash: so that `_` in an id stands for the slash, and ids are one-to-one. */
const NAME = /^([A-Za-z0-9][A-Za-z0-9.-]*)\/([^/\s\p{C}]{1,200})$/u;
const TRANSPORTS: ReadonlySet<string> = new Set(['stdio', 'streamable-http', 'sse']);
const RUNTIMES: ReadonlyMap<string, string> = new Map([
  ['npm', 'npx'],
  ['pypi', 'uvx'],
  ['oci', 'docker'],
]);
const HOSTS_OF_PEOPLE = /^io\.(?:github|gitlab)\./;

/** Undefined for an entry whose name cannot be kept. */
export function entryOf(raw: unknown): Entry | undefined {
  const server = record(record(raw)?.['server'] ?? raw);
  const name = text(server?.['name'], 300);
  const match = NAME.exec(name);
  const vendor = match?.[1];
  if (server === undefined || vendor === undefined) return undefined;
  const packages = list(server['packages']).flatMap((each): PackageRef[] => {
    const registry = text(each['registryType'], 40);
    const identifier = text(each['identifier'], 300);
    const transport = text(record(each['transport'])?.['type'], 40) || 'stdio';
    if (registry === '' || identifier === '') return [];
    const version = text(each['version'], 100);
    const runtime = text(each['runtimeHint'], 40) || RUNTIMES.get(registry) || '';
    return [{ registry, identifier, ...(version && { version }), ...(runtime && { runtime }), transport }];
  });
  const remotes = list(server['remotes']).flatMap((each): RemoteRef[] => {
    const transport = text(each['type'], 40);
    const url = text(each['url'], 2048);
    return transport === '' || url === '' ? [] : [{ transport, url }];
  });
  const transports = [...new Set([...packages, ...remotes].map(({ transport }) => transport))]
    .filter((each) => TRANSPORTS.has(each))
    .sort();
  const repo = link(record(server['repository'])?.['url']);
  const site = link(server['websiteUrl']);
  const said = {
    name,
    title: text(server['title'], 200),
    description: text(server['description'], 4000),
    repo,
    site,
    version: text(server['version'], 100),
    transports,
    packages,
    remotes,
  };
  return {
    id: name.replace('/', '_'),
    vendor,
    ...said,
    icon: link(list(server['icons'])[0]?.['src']),
    official: isOfficial(vendor, remotes, [site, repo]),
    digest: createHash('sha256').update(JSON.stringify(said)).digest('hex'),
  };
}

/** The vendor owns the domain its name is, and its endpoints lie there; without an endpoint its site or repository may. */
function isOfficial(vendor: string, remotes: readonly RemoteRef[], pages: readonly string[]): boolean {
  const labels = vendor.toLowerCase().split('.');
  if (labels.length < 2 || HOSTS_OF_PEOPLE.test(vendor.toLowerCase())) return false;
  const domain = labels.toReversed().join('.');
  const lies = (url: string): boolean => {
    const host = URL.parse(url)?.hostname;
    return host !== undefined && (host === domain || host.endsWith(`.${domain}`));
  };
  return remotes.length > 0 ? remotes.every(({ url }) => lies(url)) : pages.some(lies);
}

/** Only what a browser may open. */
function link(value: unknown): string {
  const url = text(value, 2048);
  return /^https?:\/\//i.test(url) && URL.parse(url) !== null ? url : '';
}

function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

function list(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly unknown[]).slice(0, 100).flatMap((each) => {
    const made = record(each);
    return made === undefined ? [] : [made];
  });
}

function text(value: unknown, longest: number): string {
  if (typeof value !== 'string') return '';
  // oxlint-disable-next-line no-control-regex -- a store may refuse NUL
  const clean = value.replaceAll('\u0000', '').trim();
  return clean.length > longest ? clean.slice(0, longest).toWellFormed() : clean.toWellFormed();
}
