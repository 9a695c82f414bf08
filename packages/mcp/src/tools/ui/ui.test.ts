// Looking at a registry and installing from it: over HTTP on loopback, and from folders, built and not.
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, bench, documents, ITEMS, served } from './testkit.ts';

let b: Bench;
let url: string;
const asked: string[] = [];
beforeEach(async () => {
  b = bench();
  asked.length = 0;
  url = `${await b.serve(served(documents(), asked))}/r`;
  b.put({
    'components.json': {
      style: 'new-york',
      tailwind: { css: 'src/app/globals.css' },
      aliases: { components: '@/components', utils: '@/lib/utils' },
      registries: { '@acme': `${url}/{name}.json` },
    },
    'tsconfig.json': '{\n  // paths\n  "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["./src/*"], }, },\n}\n',
    'package.json': {},
  });
});
afterEach(() => b.close());

describe('looking', () => {
  it('without a registry nothing is asked, and the error says how to set one', async () => {
    b.put({ 'components.json': {} });
    for (const action of ['list_components', 'search']) {
      const { error } = await b.call({ action, ...(action === 'search' ? { query: 'x' } : {}) });
      expect(error.code).toBe('NOT_FOUND');
      expect(error.message).toMatch(
        /no component registry is configured.*--registry.*HANZO_UI_REGISTRY.*components\.json/,
      );
    }
    expect(asked).toEqual([]);
  });

  it('list_components names what is to be used, list_blocks the blocks', async () => {
    const all = await b.call({ action: 'list_components' });
    expect(all.data).toMatchObject({ registry: '@acme', source: `${url}/registry.json`, total: 2, count: 2 });
    expect(all.body('components')).toBe('button (ui): A thing to press.\nutils (lib)\n');
    expect((await b.call({ action: 'list_blocks' })).body('blocks')).toBe(
      'login-01 (block): A form to log in with a button.\n',
    );
  });

  it('pages join to the whole', async () => {
    const first = await b.call({ action: 'list_components', limit: 1 });
    expect(first.data.paging).toEqual({ cursor: '1', more: true, total: 2 });
    const second = await b.call({ action: 'list_components', limit: 1, cursor: first.data.paging.cursor });
    expect(first.body('components') + second.body('components')).toBe(
      (await b.call({ action: 'list_components' })).body('components'),
    );
    expect((await b.call({ action: 'list_components', cursor: '9' })).error.code).toBe('INVALID_PARAMS');
  });

  it('search wants every word and puts the best first', async () => {
    const found = await b.call({ action: 'search', query: 'BUTTON' });
    expect(
      found
        .body('results')
        .split('\n')
        .slice(0, 3)
        .map((line) => line.split(' ')[0]),
    ).toEqual(['button', 'button-demo', 'login-01']);
    expect((await b.call({ action: 'search', query: 'log button' })).data.total).toBe(1);
    expect((await b.call({ action: 'search', query: 'buton' })).data).toMatchObject({ total: 0, nearest: 'button' });
  });

  it('get_component gives the text, get_metadata all but that, get_demo the demonstration', async () => {
    const button = await b.call({ action: 'get_component', component: '@acme/button' });
    expect(button.body('text')).toBe('import { cn } from "@/lib/utils"\nexport const Button = () => cn("b")\n');
    expect(button.data).toMatchObject({
      component: 'button',
      type: 'ui',
      dependencies: ['@radix-ui/react-slot'],
      registry_dependencies: ['utils'],
      files: [{ path: 'registry/new-york/ui/button.tsx', type: 'ui', bytes: 69 }],
    });
    const login = await b.call({ action: 'get_metadata', block: 'login-01' });
    expect(login.data).toMatchObject({ env_vars: ['AUTH_SECRET'], css_vars: ['light'] });
    expect(JSON.stringify(login.data)).not.toContain('change-me');
    expect((await b.call({ action: 'get_demo', name: 'button' })).body('text')).toBe('demo\n');
    expect((await b.call({ action: 'get_component', component: 'login-01' })).body('text')).toMatch(
      /^==> registry\/new-york\/blocks\/login-01\/page\.tsx <==\nimport .*\n==> .*login-form\.tsx <==\n/s,
    );
  });

  it('a name that is nearly one is told', async () => {
    const { error } = await b.call({ action: 'get_component', component: 'buttn' });
    expect(error).toMatchObject({ code: 'NOT_FOUND', nearest: 'button' });
  });

  it('method is another name of action; two that differ are refused', async () => {
    expect((await b.call({ method: 'list_components' })).data.total).toBe(2);
    expect((await b.call({ method: 'fetch', action: 'fetch', component: 'button' })).ok).toBe(true);
    expect((await b.call({ method: 'search', action: 'install', component: 'button' })).error.code).toBe(
      'INVALID_PARAMS',
    );
  });

  it('an answer is kept for 15 minutes', async () => {
    await b.call({ action: 'list_components' });
    await b.call({ action: 'search', query: 'x' });
    expect(asked).toEqual(['/r/registry.json']);
  });

  it("the server's own registry comes before those of the project", async () => {
    b.put({
      'shelf/registry.json': { items: [{ name: 'card', files: [{ path: 'card.tsx' }] }] },
      'shelf/card.tsx': 'card',
    });
    const own = { registry: b.at('shelf') };
    expect((await b.call({ action: 'list_components' }, own)).body('components')).toBe('card (component)\n');
    expect((await b.call({ action: 'get_component', component: 'card' }, own)).body('text')).toBe('card');
    expect((await b.call({ action: 'get_component', component: 'button', registry: '@acme' }, own)).ok).toBe(true);
    const { error } = await b.call({ action: 'list_components', registry: '@acmee' }, own);
    expect(error).toMatchObject({ code: 'NOT_FOUND', available: ['default', '@acme'] });
    expect(error.message).toContain('did you mean @acme?');
  });
});

describe('install', () => {
  it('shows a patch and writes nothing', async () => {
    const shown = await b.call({ action: 'install', component: 'button' });
    const uri = (name: string): string => pathToFileURL(b.at(name)).href;
    expect(shown.data).toMatchObject({
      component: 'button',
      applied: false,
      items: ['utils', 'button'],
      files: [
        { uri: uri('src/lib/utils.ts'), status: 'new', item: 'utils' },
        { uri: uri('src/components/ui/button.tsx'), status: 'new', item: 'button' },
      ],
      dependencies: ['@radix-ui/react-slot', 'clsx'],
    });
    expect(shown.body('patch')).toBe(
      `*** Begin Patch\n*** Add File: ${b.at('src/lib/utils.ts')}\n+export const cn = String\n` +
        `*** Add File: ${b.at('src/components/ui/button.tsx')}\n+import { cn } from "@/lib/utils"\n+export const Button = () => cn("b")\n*** End Patch\n`,
    );
    expect(existsSync(b.at('src'))).toBe(false);
  });

  it('apply writes all, with the imports of the project; what is the same is left alone', async () => {
    b.put({
      'components.json': {
        aliases: { components: '~/widgets', utils: '~/helpers/cn' },
        registries: { '@acme': `${url}/{name}.json` },
      },
      'tsconfig.json': { compilerOptions: { paths: { '~/*': ['./app/*'] } } },
    });
    const done = await b.call({ action: 'install', component: 'login-01', apply: true });
    expect(done.data).toMatchObject({
      applied: true,
      items: ['utils', 'button', 'login-01'],
      dev_dependencies: ['@types/node'],
      env_vars: ['AUTH_SECRET'],
      by_hand: ["login-01: add to the project's style sheet: light --brand: red;"],
    });
    expect(b.text('app/login/page.tsx')).toBe('import { Button } from "~/widgets/ui/button"\nexport default Button\n');
    expect(b.text('app/widgets/login-form.tsx')).toBe(
      "import { Button } from '~/widgets/ui/button'\nexport const LoginForm = Button",
    );
    expect(b.text('app/widgets/ui/button.tsx')).toContain('from "~/helpers/cn"');
    expect(b.text('app/helpers/cn.ts')).toBe('export const cn = String\n');
    const again = await b.call({ action: 'install', component: 'login-01', apply: true });
    expect(again.data.files.map((each: { status: string }) => each.status)).toEqual(['same', 'same', 'same', 'same']);
  });

  it('a file that exists and differs is refused, and then nothing is written; overwrite replaces it', async () => {
    b.put({ 'src/components/ui/button.tsx': 'mine\n' });
    const refused = await b.call({ action: 'install', component: 'button', apply: true });
    expect(refused.error).toMatchObject({
      code: 'CONFLICT',
      files: [pathToFileURL(b.at('src/components/ui/button.tsx')).href],
    });
    expect(existsSync(b.at('src/lib'))).toBe(false);
    const preview = await b.call({ action: 'install', component: 'button' });
    expect(preview.data.note).toMatch(/1 of the files exist/);
    expect(preview.body('patch')).toContain(
      `*** Update File: ${b.at('src/components/ui/button.tsx')}\n@@\n-mine\n+import`,
    );
    expect((await b.call({ action: 'install', component: 'button', apply: true, overwrite: true })).ok).toBe(true);
    expect(b.text('src/components/ui/button.tsx')).toMatch(/^import/);
    expect(b.text('src/lib/utils.ts')).toBe('export const cn = String\n');
  });

  it('when one file cannot be written, none is', async () => {
    b.put({ 'src/components': 'a file, not a folder' });
    const { error } = await b.call({ action: 'install', component: 'button', apply: true });
    expect(error.code).toBe('PERMISSION_DENIED');
    expect(existsSync(b.at('src/lib'))).toBe(false);
  });

  it('a server that may only read shows the preview and refuses to write', async () => {
    const only = { access: 'read-only' as const };
    expect((await b.call({ action: 'install', component: 'utils' }, only)).ok).toBe(true);
    expect((await b.call({ action: 'install', component: 'utils', apply: true }, only)).error.code).toBe(
      'PERMISSION_DENIED',
    );
    expect(existsSync(b.at('src'))).toBe(false);
  });

  it('a folder serves too: built items, or an index beside its sources', async () => {
    b.put({ 'components.json': { registries: { '@built': './built/{name}.json', '@source': './source' } } });
    for (const [name, document] of documents()) b.put({ [`built/${name}.json`]: document });
    b.put({
      'source/registry.json': documents().get('registry'),
      'source/registry/new-york/ui/button.tsx': 'source\n',
      'source/registry/new-york/lib/utils.ts': 'utils\n',
    });
    const built = await b.call({ action: 'install', component: '@built/button' });
    expect(built.data.items).toEqual(['utils', 'button']);
    const source = await b.call({ action: 'install', component: '@source/button', apply: true });
    expect(source.ok).toBe(true);
    expect(b.text('src/components/ui/button.tsx')).toBe('source\n');
    expect(asked).toEqual([]);
  });

  it('a member of a monorepo has its own components.json; one above the repository is nobody’s', async () => {
    b.put({ 'apps/web/components.json': { registries: { '@web': `${url}/{name}.json` } }, 'apps/bare/x': '' });
    const web = await b.call({ action: 'install', component: 'utils', path: b.at('apps/web') });
    expect(web.data.files[0].uri).toBe(pathToFileURL(b.at('apps/web/lib/utils.ts')).href);
    execFileSync('git', ['init', '-q'], { cwd: b.at('apps/bare') });
    expect((await b.call({ action: 'list_components', path: b.at('apps/bare') })).error.message).toMatch(
      /no component registry/,
    );
  });

  it('items that need each other come once each', async () => {
    const circle = documents([
      { name: 'a', registryDependencies: ['b', 'a'], files: [{ path: 'a.tsx', content: 'a' }] },
      { name: 'b', registryDependencies: ['a'], files: [{ path: 'b.tsx', content: 'b' }] },
    ]);
    const other = await b.serve(served(circle));
    const answer = await b.call({ action: 'install', component: 'a' }, { registry: `${other}/r` });
    expect(answer.data.items).toEqual(['b', 'a']);
  });

  it('a name its registry does not have comes from @shadcn, where that is configured', async () => {
    const needy = documents([
      { name: 'x', registryDependencies: ['button'], files: [{ path: 'x.tsx', content: 'x' }] },
    ]);
    const other = `${await b.serve(served(needy))}/r`;
    const alone = await b.call({ action: 'install', component: '@needy/x' }, { registry: other });
    expect(alone.error.code).toBe('NOT_FOUND');
    b.put({ 'components.json': { registries: { '@needy': `${other}/{name}.json`, '@shadcn': `${url}/{name}.json` } } });
    const both = await b.call({ action: 'install', component: '@needy/x' });
    expect(both.data.items).toEqual(['utils', 'button', 'x']);
  });

  it('the patch of many files is bounded and names what it leaves out', async () => {
    const big = documents([
      ...ITEMS,
      {
        name: 'big',
        registryDependencies: ['utils'],
        files: [{ path: 'big.tsx', content: `${'x'.repeat(99)}\n`.repeat(900) }],
      },
    ]);
    const other = await b.serve(served(big));
    const answer = await b.call({ action: 'install', component: 'big' }, { registry: `${other}/r` });
    expect(answer.body('patch')).toMatch(
      /^\*\*\* Begin Patch\n.*utils\.ts\n.*\*\*\* End Patch\n1 more not shown .*: src\/components\/big\.tsx\n$/s,
    );
    rmSync(b.at('src'), { recursive: true, force: true });
  });
});
