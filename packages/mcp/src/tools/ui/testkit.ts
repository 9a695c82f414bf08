// What the tests of this tool share: a project, a registry served on loopback, and calls that answer plain values.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CallContext } from '@hanzo/tool';
import { type Config, defaultConfig } from '../../config.ts';
import { createAccess } from '../../lib/access.ts';
import type { Local } from '../../local.ts';
import { ui } from './index.ts';

export interface Answer {
  readonly ok: boolean;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly data: any;
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  readonly error: any;
  /** text of the body `key` */
  body(key: string): string;
}

export interface Bench {
  /** real path of the project, the only root */
  readonly root: string;
  at(...names: string[]): string;
  put(files: Readonly<Record<string, unknown>>): void;
  text(name: string): string;
  call(args: Record<string, unknown>, overrides?: Partial<Config>): Promise<Answer>;
  /** starts a web server on loopback */
  serve(answer: RequestListener): Promise<string>;
  close(): void;
}

export function bench(overrides: Partial<Config> = {}): Bench {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'ui-')));
  const configs = new Map<string, Config>();
  const stops: (() => void)[] = [];
  return {
    root,
    at: (...names) => path.join(root, ...names),
    put(files) {
      for (const [name, content] of Object.entries(files)) {
        const at = path.join(root, name);
        mkdirSync(path.dirname(at), { recursive: true });
        writeFileSync(at, typeof content === 'string' ? content : JSON.stringify(content));
      }
    },
    text: (name) => readFileSync(path.join(root, name), 'utf8'),
    async call(args, more = {}) {
      // One config per setting, as a server has one: what is kept is kept with it.
      const key = JSON.stringify(more);
      const config = configs.get(key) ?? defaultConfig({ cwd: root, allowPrivate: true, ...overrides, ...more });
      configs.set(key, config);
      const access = createAccess({ level: config.access, cwd: root, roots: [], allowSecrets: [] });
      const env = { config, access } as unknown as Local; // nothing else is used here
      const context: CallContext = {
        signal: new AbortController().signal,
        progress: () => undefined,
        log: () => undefined,
        clientCapabilities: {},
        ask: () => Promise.reject(new Error('no client')),
      };
      const { content } = await ui.call(args, { context, env, maxOutput: config.maxOutput, jsonOnly: config.jsonOnly });
      const texts = content.map((block) => (block.type === 'text' ? block.text : ''));
      const envelope = JSON.parse(texts[0] ?? '') as Omit<Answer, 'body'>;
      return {
        ...envelope,
        body(name) {
          const value = envelope.data?.[name];
          return typeof value === 'string' ? value : (texts[value?.block] ?? '');
        },
      };
    },
    async serve(answer) {
      const server = createServer(answer);
      await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
      stops.push(() => {
        server.closeAllConnections();
        server.close();
      });
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    close() {
      for (const stop of stops) stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

export function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** A small registry of four items, two of which need others. */
export const ITEMS: readonly Record<string, unknown>[] = [
  {
    name: 'button',
    type: 'registry:ui',
    title: 'Button',
    description: 'A thing to press.',
    dependencies: ['@radix-ui/react-slot'],
    registryDependencies: ['utils'],
    files: [
      {
        path: 'registry/new-york/ui/button.tsx',
        type: 'registry:ui',
        content: 'import { cn } from "@/lib/utils"\nexport const Button = () => cn("b")\n',
      },
    ],
  },
  {
    name: 'utils',
    type: 'registry:lib',
    dependencies: ['clsx'],
    files: [{ path: 'registry/new-york/lib/utils.ts', type: 'registry:lib', content: 'export const cn = String\n' }],
  },
  {
    name: 'login-01',
    type: 'registry:block',
    description: 'A form to log in with a button.',
    registryDependencies: ['button'],
    devDependencies: ['@types/node'],
    cssVars: { light: { brand: 'red' } },
    envVars: { AUTH_SECRET: 'change-me' },
    files: [
      {
        path: 'registry/new-york/blocks/login-01/page.tsx',
        type: 'registry:page',
        target: 'app/login/page.tsx',
        content: 'import { Button } from "@/registry/new-york/ui/button"\nexport default Button\n',
      },
      {
        path: 'registry/new-york/blocks/login-01/components/login-form.tsx',
        type: 'registry:component',
        content: "import { Button } from '@/registry/new-york/ui/button'\nexport const LoginForm = Button",
      },
    ],
  },
  { name: 'button-demo', type: 'registry:example', files: [{ path: 'x/button-demo.tsx', content: 'demo\n' }] },
];

/** The items as a built registry: an index without texts, and a document for each. */
export function documents(items: readonly Record<string, unknown>[] = ITEMS): Map<string, unknown> {
  const bare = items.map(({ files, ...item }) => ({
    ...item,
    files: (files as { content?: string }[]).map((file) => ({ ...file, content: undefined })),
  }));
  return new Map<string, unknown>([
    ['registry', { name: 'acme', homepage: 'https://acme.test', items: bare }],
    ...items.map((item) => [String(item['name']), item] as const),
  ]);
}

/** Serves documents under `/r/NAME.json`; counts what it was asked. */
export function served(known: ReadonlyMap<string, unknown>, asked: string[] = []): RequestListener {
  return (request, response) => {
    const url = new URL(request.url ?? '/', 'http://x');
    asked.push(url.pathname);
    const name = /^\/r\/(.+)\.json$/.exec(url.pathname)?.[1] ?? '';
    if (known.has(name)) json(response, known.get(name));
    else json(response, { error: 'no such item' }, 404);
  };
}
