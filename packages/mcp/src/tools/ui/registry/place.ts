// Which registries a call may ask: the server's own setting, and those that the project's components.json names.
import path from 'node:path';
import process from 'node:process';
import { nearest, shorten, ToolError } from '@hanzo/tool';
import { toPath } from '../../../lib/path.ts';
import type { Ctx } from '../../../local.ts';
import type { Project } from '../project/project.ts';

/** Where a registry is. `at(name)` is its document of that name: a URL or a path. */
export type Place =
  | {
      readonly kind: 'http';
      readonly name: string;
      readonly shown: string;
      readonly origin: string;
      readonly headers: Readonly<Record<string, string>>;
      at(document: string): string;
    }
  | { readonly kind: 'folder'; readonly name: string; readonly shown: string; readonly folder: string };

/** The name of the registry that the server was told of. */
const OWN = 'default';

/** The name of an index, where the place of an item is a template (as the CLI of the format asks for it). */
const INDEX = 'registry';

const HOW =
  'start this server with --registry FOLDER-OR-URL, set HANZO_UI_REGISTRY, or name it under `registries` in components.json';

/** Registries by name; the server's own first. Nothing is asked or opened here. */
export class Places {
  readonly #ctx: Ctx;
  readonly #project: Project;
  readonly #known: ReadonlyMap<string, unknown>;

  constructor(ctx: Ctx, project: Project) {
    this.#ctx = ctx;
    this.#project = project;
    const own = ctx.env.config.registry;
    this.#known = new Map<string, unknown>([...(own ? [[OWN, own] as const] : []), ...project.registries]);
  }

  names(): string[] {
    return [...this.#known.keys()];
  }

  /** The registry of that name; without one the server's own, or the only one there is. */
  find(name: string | undefined): Place {
    if (this.#known.size === 0) throw new ToolError('NOT_FOUND', `no component registry is configured; ${HOW}`, {});
    const [first, second] = this.names();
    const wanted = name ?? (first === OWN || second === undefined ? first : undefined);
    if (wanted === undefined) {
      throw new ToolError(
        'INVALID_PARAMS',
        `give 'registry', one of: ${this.names().join(', ')}; or ${HOW.split(',')[0]}`,
        {
          param: 'registry',
          available: this.names(),
        },
      );
    }
    if (!this.#known.has(wanted)) {
      const meant = nearest(wanted, this.names());
      throw new ToolError(
        'NOT_FOUND',
        `no registry is called '${shorten(wanted)}'; known: ${this.names().join(', ')}${meant ? `; did you mean ${meant}?` : ''}. To add one, name it under \`registries\` in components.json`,
        { param: 'registry', available: this.names() },
      );
    }
    return this.#place(wanted, this.#known.get(wanted));
  }

  #place(name: string, value: unknown): Place {
    const { url, params, headers } = settings(value);
    if (url === undefined) throw this.#unusable(name, 'has no url');
    const template = this.#filled(name, url);
    if (!/^https?:\/\//i.test(template)) {
      const folder = template.includes('{name}') ? path.dirname(template) : template;
      return { kind: 'folder', name, shown: folder, folder: this.#folder(name, folder) };
    }
    const base = URL.parse(template.replaceAll('{name}', INDEX));
    if (!base) throw this.#unusable(name, 'is not a usable URL');
    const query = Object.entries(params).map(([key, each]) => [key, this.#filled(name, each)] as const);
    const sent = Object.fromEntries(Object.entries(headers).map(([key, each]) => [key, this.#filled(name, each)]));
    return {
      kind: 'http',
      name,
      shown: `${base.origin}${base.pathname}`,
      origin: base.origin,
      headers: sent,
      at(document) {
        const at = new URL(documentOf(template, document));
        for (const [key, each] of query) at.searchParams.set(key, each);
        return at.href;
      },
    };
  }

  /** A relative folder is one of the project; it may not climb out of it. */
  #folder(name: string, given: string): string {
    if (path.isAbsolute(given) || /^(file:|~)/.test(given)) return toPath(given, '/', 'registry');
    const folder = path.resolve(this.#project.root, given);
    if (path.relative(this.#project.root, folder).startsWith('..')) {
      throw this.#unusable(name, 'lies outside the project; give an absolute path if that is meant');
    }
    return folder;
  }

  /**
   * `{style}` and `${NAME}` filled in. A project's file must not be able to send this server's credentials anywhere, so a variable
   * is only filled in where the server was told to pass it.
   */
  #filled(name: string, text: string): string {
    return text.replaceAll('{style}', encodeURIComponent(this.#project.style)).replaceAll(/\$\{(\w+)\}/g, (_, key) => {
      const variable = String(key);
      if (!this.#ctx.env.config.passEnv.includes(variable)) {
        throw new ToolError(
          'PERMISSION_DENIED',
          `registry ${name} asks for the variable ${variable} to be sent to it; start this server with --pass-env ${variable} to allow that`,
          { registry: name, variable },
        );
      }
      const found = process.env[variable];
      if (found === undefined) {
        throw new ToolError('NO_CREDENTIAL', `registry ${name} needs the variable ${variable}, which is not set`, {
          registry: name,
          variable,
        });
      }
      return found;
    });
  }

  #unusable(name: string, why: string): ToolError {
    return new ToolError('INVALID_PARAMS', `registry ${name} ${why}`, { registry: name });
  }
}

/** `.../{name}.json` with the name in it; a base without the template, or the URL of an index, stands for its folder. */
function documentOf(template: string, document: string): string {
  if (template.includes('{name}')) return template.replaceAll('{name}', document);
  const url = new URL(template);
  if (url.pathname.endsWith('.json')) {
    if (document === INDEX) return url.href;
    url.pathname = url.pathname.slice(0, url.pathname.lastIndexOf('/'));
  }
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${document}.json`;
  return url.href;
}

interface Settings {
  readonly url: string | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

function settings(value: unknown): Settings {
  if (typeof value === 'string') return { url: value, params: {}, headers: {} };
  const { url, params, headers } = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  return { url: typeof url === 'string' ? url : undefined, params: textsOf(params), headers: textsOf(headers) };
}

function textsOf(value: unknown): Record<string, string> {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value).slice(0, 50) : [];
  return Object.fromEntries(entries.filter((each): each is [string, string] => typeof each[1] === 'string'));
}
