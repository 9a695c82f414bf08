// dependencies and env over manifests as their own tools write them.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultConfig } from '../../config.ts';
import { createAccess } from '../../lib/access.ts';
import { createIndexes, type Indexes } from '../../lib/search/indexes.ts';
import type { Local } from '../../local.ts';
import { workspace } from './index.ts';

let root: string;
let indexes: Indexes;
const access = createAccess({ level: 'workspace-write', cwd: '/', roots: [], allowSecrets: [] });
beforeAll(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'hanzo-deps-')));
  indexes = createIndexes({ access, cache: false });
});
afterAll(async () => {
  await indexes.close();
  rmSync(root, { recursive: true, force: true });
});

function put(name: string, files: Readonly<Record<string, string>>): string {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name, file)), { recursive: true });
    writeFileSync(path.join(root, name, file), text);
  }
  return path.join(root, name);
}

// oxlint-disable-next-line typescript/no-explicit-any -- a client sees plain JSON
async function call(args: Record<string, unknown>, jsonOnly = true): Promise<any> {
  const env = { config: defaultConfig({ cwd: root, jsonOnly }), access, indexes } as unknown as Local;
  const context = {
    signal: new AbortController().signal,
    progress: () => {},
    log: () => {},
    clientCapabilities: {},
    ask: () => Promise.reject(new Error('nobody to ask')),
  };
  const { content } = await workspace.call(args, { env, context, jsonOnly });
  const texts = content.map((block) => (block.type === 'text' ? block.text : ''));
  return { ...JSON.parse(texts[0] ?? ''), texts };
}

/** `name wanted locked kind file` of each. */
async function rows(name: string, files: Readonly<Record<string, string>>): Promise<string[]> {
  const { data } = await call({ action: 'dependencies', path: put(name, files) });
  expect(data.problems ?? []).toEqual([]);
  return data.dependencies.map((each: Record<string, string>) =>
    [each['name'], each['wanted'] ?? '-', each['locked'] ?? '-', each['kind'], each['file']].join(' | '),
  );
}

const PACKAGE = JSON.stringify({
  dependencies: { a: '^1.0.0' },
  devDependencies: { '@s/b': '~2.0.0' },
  peerDependencies: { c: '>=3' },
  optionalDependencies: { d: '4' },
});
const NODE = [
  'a | ^1.0.0 | 1.2.3 | runtime',
  'd | 4 | - | optional',
  'c | >=3 | - | peer',
  '@s/b | ~2.0.0 | 2.0.9 | dev',
].map((row) => `${row} | package.json`);

describe('dependencies', () => {
  it.each([
    [
      'package-lock.json',
      JSON.stringify({
        lockfileVersion: 3,
        packages: { '': {}, 'node_modules/a': { version: '1.2.3' }, 'node_modules/@s/b': { version: '2.0.9' } },
      }),
    ],
    [
      'pnpm-lock.yaml',
      "lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      a:\n        specifier: ^1.0.0\n        version: 1.2.3(c@3.0.0)\n    devDependencies:\n      '@s/b':\n        specifier: ~2.0.0\n        version: 2.0.9\n\npackages:\n\n  a@1.2.3:\n    resolution: {integrity: sha512-x==}\n",
    ],
    [
      'yarn.lock',
      '# yarn lockfile v1\n\n\n"@s/b@~2.0.0":\n  version "2.0.9"\n\na@^0.9, a@^1.0.0:\n  version "1.2.3"\n  dependencies:\n    x "1"\n',
    ],
    [
      'yarn.lock (berry)',
      '__metadata:\n  version: 8\n\n"@s/b@npm:~2.0.0":\n  version: 2.0.9\n  resolution: "x"\n\n"a@npm:^1.0.0":\n  version: 1.2.3\n',
    ],
    [
      'bun.lock',
      '{\n  "packages": {\n    "a": ["a@1.2.3", "", {}, "sha"],\n    "@s/b": ["@s/b@2.0.9", ""],\n  },\n}\n',
    ],
  ])('npm with %s', async (lock, text) => {
    expect(await rows(`npm ${lock}`, { 'package.json': PACKAGE, [lock.replace(/ .*/, '')]: text })).toEqual(NODE);
  });

  it('members of a monorepo are read too, and locked where the root or they themselves say', async () => {
    const at = put('mono', {
      'package.json': '{"workspaces":["packages/*"]}',
      'packages/x/package.json': '{"dependencies":{"a":"1","y":"*"}}',
      'packages/y/package.json': '{"version":"0.1.0"}',
      'packages/x/node_modules/a/package.json': '{"dependencies":{"hidden":"1"}}',
      'package-lock.json': JSON.stringify({
        packages: {
          'node_modules/a': { version: '9.9.9' },
          'packages/x/node_modules/a': { version: '1.0.1' },
          'node_modules/y': { resolved: 'packages/y', link: true },
          'packages/y': { version: '0.1.0' },
        },
      }),
    });
    const { data } = await call({ action: 'dependencies', path: at });
    expect(data).toMatchObject({ manifests: 3, count: 2, workspaces: ['packages/*'] });
    expect(data.dependencies.map((each: { locked: string }) => each.locked)).toEqual(['1.0.1', '0.1.0']);
  });

  it.each<[string, Record<string, string>, string[]]>([
    [
      'pyproject and uv.lock',
      {
        'pyproject.toml':
          '[project]\nname="p"\ndependencies=["Requests[socks]>=2,<3 ; python_version>\'3\'", "pkg @ https://u:secret@h/x"]\n[project.optional-dependencies]\nx=["rich"]\n[dependency-groups]\ndev=["pytest>=8", {include-group="x"}]\n',
        'uv.lock':
          'version = 1\n[[package]]\nname = "requests"\nversion = "2.31.0"\n[[package]]\nname = "pytest"\nversion = "8.1.0"\n',
      },
      [
        'Requests | >=2,<3 | 2.31.0 | runtime',
        'pkg | https://h/x | - | runtime',
        'rich | - | - | optional',
        'pytest | >=8 | 8.1.0 | dev',
      ],
    ],
    [
      'Poetry',
      {
        'pyproject.toml':
          '[tool.poetry.dependencies]\npython="^3"\ndjango={version="^5",optional=true}\n[tool.poetry.group.dev.dependencies]\nruff="*"\n',
        'poetry.lock': '[[package]]\nname="Django"\nversion="5.0.1"\n',
      },
      ['django | ^5 | 5.0.1 | optional', 'ruff | * | - | dev'],
    ],
    [
      'requirements',
      { 'requirements-dev.txt': '# c\npytest==8.0 \\\n  --hash=sha256:x\n-r requirements.txt\nblack>=24 # why\n' },
      ['pytest | ==8.0 | 8.0 | dev', 'black | >=24 | - | dev'],
    ],
    [
      'Pipfile',
      {
        Pipfile: '[packages]\nflask="*"\n[dev-packages]\nmypy={version=">1"}\n',
        'Pipfile.lock': '{"default":{"flask":{"version":"==3.0.0"}},"develop":{}}',
      },
      ['flask | * | 3.0.0 | runtime', 'mypy | >1 | - | dev'],
    ],
    [
      'setup.cfg',
      {
        'setup.cfg':
          '[metadata]\nname = x\n[options]\ninstall_requires =\n    six>=1\n    attrs\n[options.extras_require]\nt = nose\n',
      },
      ['six | >=1 | - | runtime', 'attrs | - | - | runtime', 'nose | - | - | optional'],
    ],
    [
      'Cargo',
      {
        'Cargo.toml':
          '[dependencies]\nserde={version="1",optional=true}\nrand="0.8"\nother={package="real",path="../r"}\n[dev-dependencies]\nt="1"\n[target."cfg(unix)".build-dependencies]\ncc="1"\n',
        'Cargo.lock':
          '[[package]]\nname="serde"\nversion="1.0.200"\n[[package]]\nname="rand"\nversion="0.7.3"\n[[package]]\nname="rand"\nversion="0.8.5"\n',
      },
      [
        'serde | 1 | 1.0.200 | optional',
        'rand | 0.8 | 0.8.5 | runtime',
        'real | ../r | - | runtime',
        't | 1 | - | dev',
        'cc | 1 | - | dev',
      ],
    ],
    [
      'Go',
      {
        'go.mod':
          'module m\n\ngo 1.22\n\nrequire (\n\tgithub.com/a/b v1.2.0\n\tx.org/c v0.1.0 // indirect\n)\nrequire y.org/d v2.0.0+incompatible\nreplace y.org/d => ../d\n',
        'go.sum': 'github.com/a/b v1.2.0 h1:x=\n',
      },
      [
        'github.com/a/b | v1.2.0 | v1.2.0 | runtime',
        'x.org/c | v0.1.0 | - | runtime',
        'y.org/d | v2.0.0+incompatible => ../d | - | runtime',
      ],
    ],
    [
      'Maven',
      {
        'pom.xml':
          '<?xml version="1.0"?><project xmlns="x"><groupId>g</groupId><version>3</version><properties><j.v>5.1</j.v></properties><dependencyManagement><dependencies><dependency><groupId>m</groupId><artifactId>n</artifactId><version>7</version></dependency></dependencies></dependencyManagement><dependencies><!-- c --><dependency><groupId>${project.groupId}</groupId><artifactId>a</artifactId><version>${project.version}</version></dependency><dependency><groupId>m</groupId><artifactId>n</artifactId></dependency><dependency><groupId>j</groupId><artifactId>u</artifactId><version>${j.v}</version><scope>test</scope></dependency></dependencies></project>',
      },
      ['g:a | 3 | - | runtime', 'm:n | 7 | - | runtime', 'j:u | 5.1 | - | dev'],
    ],
    [
      'Gradle',
      {
        'build.gradle.kts':
          'dependencies {\n  implementation("a.b:c:1.0")\n  // api("no:no:1")\n  testImplementation(libs.junit.api)\n  api(project(":core"))\n}\n',
        'gradle/libs.versions.toml':
          '[versions]\nj="5.10"\n[libraries]\njunit-api={module="org.junit:api",version.ref="j"}\n',
        'gradle.lockfile': '# x\na.b:c:1.0.1=compileClasspath\n',
      },
      ['a.b:c | 1.0 | 1.0.1 | runtime', 'org.junit:api | 5.10 | - | dev'],
    ],
    [
      '.NET',
      {
        'app.csproj':
          '<Project><ItemGroup><PackageReference Include="A.B" Version="1.0" /><PackageReference Include="C"><PrivateAssets>all</PrivateAssets></PackageReference></ItemGroup></Project>',
        'Directory.Packages.props':
          '<Project><ItemGroup><PackageVersion Include="C" Version="2.0"/></ItemGroup></Project>',
        'packages.lock.json': '{"dependencies":{"net8.0":{"A.B":{"resolved":"1.0.5"}}}}',
      },
      ['A.B | 1.0 | 1.0.5 | runtime', 'C | 2.0 | - | dev'],
    ],
    [
      'Ruby',
      {
        Gemfile:
          'source "https://rubygems.org"\ngem "rails", "~> 7.1", ">= 7.1.2" # x\ngroup :development, :test do\n  gem "rspec"\nend\ngem "puma", group: :test\ngem "pg"\n',
        'Gemfile.lock': 'GEM\n  specs:\n    rails (7.1.3)\n      actionpack (= 7.1.3)\n    rspec (3.13.0)\n',
      },
      [
        'rails | ~> 7.1, >= 7.1.2 | 7.1.3 | runtime',
        'rspec | - | 3.13.0 | dev',
        'puma | - | - | dev',
        'pg | - | - | runtime',
      ],
    ],
    [
      'gemspec',
      { 'x.gemspec': 's.add_dependency "a", "~> 1"\ns.add_development_dependency("b")\n' },
      ['a | ~> 1 | - | runtime', 'b | - | - | dev'],
    ],
    [
      'Composer',
      {
        'composer.json': '{"require":{"php":">=8","v/p":"^1"},"require-dev":{"t/u":"*"}}',
        'composer.lock': '{"packages":[{"name":"v/p","version":"v1.4.0"}],"packages-dev":[]}',
      },
      ['php | >=8 | - | runtime', 'v/p | ^1 | v1.4.0 | runtime', 't/u | * | - | dev'],
    ],
    [
      'Mix',
      {
        'mix.exs':
          'defmodule X do\n  defp deps do\n    [\n      {:phoenix, "~> 1.7"},\n      {:credo, "~> 1", only: [:dev, :test]}\n    ]\n  end\nend\n',
        'mix.lock': '%{\n  "phoenix": {:hex, :phoenix, "1.7.10", "x"},\n}\n',
      },
      ['phoenix | ~> 1.7 | 1.7.10 | runtime', 'credo | ~> 1 | - | dev'],
    ],
    [
      'Dart',
      {
        'pubspec.yaml':
          'name: x\ndependencies:\n  http: ^1.0.0\n  flutter:\n    sdk: flutter\ndev_dependencies:\n  test: any # c\n',
        'pubspec.lock': 'packages:\n  http:\n    dependency: "direct main"\n    version: "1.2.0"\n',
      },
      ['http | ^1.0.0 | 1.2.0 | runtime', 'flutter | - | - | runtime', 'test | any | - | dev'],
    ],
    [
      'Swift',
      {
        'Package.swift':
          'dependencies: [\n .package(url: "https://github.com/apple/swift-nio.git", from: "2.0.0"),\n .package(path: "../Local")\n]\n',
        'Package.resolved': '{"pins":[{"identity":"swift-nio","state":{"version":"2.65.0"}}],"version":2}',
      },
      ['swift-nio | from: "2.0.0" | 2.65.0 | runtime', 'Local | ../Local | - | runtime'],
    ],
    [
      'vcpkg',
      {
        'vcpkg.json':
          '{"dependencies":["fmt",{"name":"zlib","version>=":"1.3"},{"name":"gen","host":true}],"overrides":[{"name":"fmt","version":"10.1"}]}',
      },
      ['fmt | - | 10.1 | runtime', 'zlib | >=1.3 | - | runtime', 'gen | - | - | dev'],
    ],
    [
      'Conan and CMake',
      {
        'conanfile.txt': '[requires]\nfmt/10.0\n[tool_requires]\ncmake/[>=3]\n',
        'conan.lock': '{"requires":["fmt/10.0.1#rev%1"]}',
        'CMakeLists.txt': 'find_package(Boost 1.80 REQUIRED)\n# find_package(No)\nfind_package(Doc)\n',
      },
      [
        'Boost | 1.80 | - | runtime',
        'Doc | - | - | optional',
        'fmt | 10.0 | 10.0.1 | runtime',
        'cmake | [>=3] | - | dev',
      ],
    ],
  ])('%s', async (name, files, expected) => {
    expect((await rows(name, files)).map((row) => row.replace(/ \| [^|]*$/, ''))).toEqual(expected);
  });

  it('what a workspace gives its members is theirs', async () => {
    const found = await rows('cargo-ws', {
      'Cargo.toml': '[workspace]\nmembers=["a"]\n[workspace.dependencies]\nserde="1.0"\n',
      'a/Cargo.toml': '[dependencies]\nserde={workspace=true}\n',
    });
    expect(found).toEqual(['serde | 1.0 | - | runtime | a/Cargo.toml']);
  });

  it('a broken manifest or lock file is named, and the rest still answers', async () => {
    const at = put('broken', {
      'package.json': '{',
      'Cargo.toml': '[dependencies\n',
      'pom.xml': '<project><a></project>',
      'pubspec.yaml': 'a: &x 1\n',
      'build.gradle': 'dependencies {\n  implementation someVariable\n}\n',
      'composer.json': '{"require":{"v/p":"^1"}}',
      'composer.lock': 'not json',
    });
    const { data } = await call({ action: 'dependencies', path: at });
    expect(data.dependencies).toEqual([
      { name: 'v/p', wanted: '^1', locked: null, kind: 'runtime', file: 'composer.json' },
    ]);
    expect(data.problems.map((each: { file: string }) => each.file).sort()).toEqual([
      'Cargo.toml',
      'build.gradle',
      'composer.lock',
      'package.json',
      'pom.xml',
      'pubspec.yaml',
    ]);
  });

  it('filter, pages, one manifest by its path, and names like __proto__', async () => {
    const at = put('paged', {
      'package.json': '{"dependencies":{"aa":"1","ab":"2","__proto__":"3","constructor":"4"}}',
    });
    expect((await call({ action: 'dependencies', path: at, filter: 'A' })).data.count).toBe(2);
    const first = (await call({ action: 'dependencies', path: at, limit: 3 })).data;
    const rest = (await call({ action: 'dependencies', path: at, limit: 3, cursor: first.paging.cursor })).data;
    expect([...first.dependencies, ...rest.dependencies].map((each) => each.name)).toEqual([
      'aa',
      'ab',
      '__proto__',
      'constructor',
    ]);
    const { texts } = await call({ action: 'dependencies', path: path.join(at, 'package.json'), limit: 1 }, false);
    expect(texts[1]).toBe('package.json\n  aa 1\n');
  });
});

describe('env', () => {
  const CANARY = 'c4n4ry-value-93';

  it('names what is declared and read, says whether it is set, and never a value', async () => {
    const at = put('env', {
      '.env': `# ${CANARY}\nexport DB_URL=${CANARY}\nMULTI="first\nINNER=${CANARY}\nlast"\nKEY=-----BEGIN PRIVATE KEY-----\nMIIEvCANARYcanary==\n-----END PRIVATE KEY-----\n${CANARY}\nAFTER='x'\n`,
      '.env.example': 'DB_URL=\nHOME=\n',
      'package.json': '{}',
      'app.ts': `const { ONE, TWO: two = '${CANARY}' } = process.env;\nprocess.env.DB_URL || '${CANARY}';\nimport.meta.env.VITE_X; process.env['FOUR'];\n`,
      'a.py': `os.environ.get("PY_A", "${CANARY}"); os.getenv('PY_B'); os.environ["PY_C"]\n`,
      'a.rs': 'env::var("RS_A"); option_env!("RS_B");\n',
      'a.go': 'os.Getenv("GO_A"); os.LookupEnv("GO_B")\n',
      'A.java': 'System.getenv("JAVA_A");\n',
      'a.cs': 'Environment.GetEnvironmentVariable("CS_A");\n',
      'a.rb': 'ENV[\'RB_A\']; ENV.fetch("RB_B")\n',
      'a.php': "getenv('PHP_A'); $_ENV['PHP_B'];\n",
      'a.ex': 'System.fetch_env!("EX_A")\n',
      'a.swift': 'ProcessInfo.processInfo.environment["SW_A"]\n',
      'compose.yml': `x: \${COMPOSE_A:-${CANARY}}\n`,
    });
    const { data, texts } = await call({ action: 'env', path: at });
    expect(data.variables.map((each: { name: string }) => each.name)).toEqual(
      'AFTER COMPOSE_A CS_A DB_URL EX_A FOUR GO_A GO_B HOME JAVA_A KEY MULTI ONE PHP_A PHP_B PY_A PY_B PY_C RB_A RB_B RS_A RS_B SW_A TWO VITE_X'.split(
        ' ',
      ),
    );
    const of = (name: string): unknown => data.variables.find((each: { name: string }) => each.name === name);
    expect(of('DB_URL')).toEqual({
      name: 'DB_URL',
      set: false,
      declared: ['.env', '.env.example'],
      read: ['app.ts:2'],
      places: 1,
    });
    expect(of('HOME')).toMatchObject({ set: Object.hasOwn(process.env, 'HOME') });
    expect(data.problems).toEqual([{ file: '.env', message: '1 lines that name no variable' }]);
    expect(texts.join('')).not.toContain('c4n4ry');
    expect(texts.join('')).not.toContain('CANARY');
    expect((await call({ action: 'env', path: at, filter: 'py_' })).data.count).toBe(3);
  });

  it('a value of the server itself is never told either', async () => {
    process.env['WS_CANARY'] = CANARY;
    try {
      const at = put('env-set', { 'a.js': 'process.env.WS_CANARY\n' });
      const { data, texts } = await call({ action: 'env', path: at });
      expect(data.variables).toEqual([{ name: 'WS_CANARY', set: true, declared: [], read: ['a.js:1'], places: 1 }]);
      expect(texts.join('')).not.toContain(CANARY);
    } finally {
      delete process.env['WS_CANARY'];
    }
  });
});
