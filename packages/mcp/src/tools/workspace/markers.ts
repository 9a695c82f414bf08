// Which file in a folder says what about the project.

/** What a file's presence means. `type` makes it a manifest. */
export interface Marker {
  readonly languages?: readonly string[];
  readonly build?: readonly string[];
  readonly test?: readonly string[];
  readonly type?: string;
  /** the package manager whose lock file this is */
  readonly manager?: string;
}

/** In the order answers keep. */
export const MARKERS: ReadonlyMap<string, Marker> = new Map<string, Marker>([
  ['package.json', { languages: ['javascript'], type: 'npm' }],
  ['tsconfig.json', { languages: ['typescript'] }],
  ['deno.json', { languages: ['typescript'], build: ['deno'], test: ['deno'], type: 'deno' }],
  ['deno.jsonc', { languages: ['typescript'], build: ['deno'], test: ['deno'], type: 'deno' }],
  ['pyproject.toml', { languages: ['python'], type: 'python' }],
  ['setup.py', { languages: ['python'] }],
  ['requirements.txt', { languages: ['python'] }],
  ['Cargo.toml', { languages: ['rust'], build: ['cargo'], test: ['cargo'], type: 'cargo' }],
  ['go.mod', { languages: ['go'], build: ['go'], test: ['go'], type: 'go' }],
  ['go.work', { languages: ['go'], build: ['go'], test: ['go'] }],
  ['pom.xml', { languages: ['java'], build: ['maven'] }],
  ['build.gradle', { languages: ['java'], build: ['gradle'] }],
  ['build.gradle.kts', { languages: ['kotlin'], build: ['gradle'] }],
  ['Gemfile', { languages: ['ruby'], build: ['bundler'] }],
  ['composer.json', { languages: ['php'], build: ['composer'] }],
  ['mix.exs', { languages: ['elixir'], build: ['mix'], test: ['mix'] }],
  ['Package.swift', { languages: ['swift'], build: ['swift'], test: ['swift'] }],
  ['CMakeLists.txt', { languages: ['c++'], build: ['cmake'] }],
  ['meson.build', { languages: ['c++'], build: ['meson'] }],
  ['Makefile', { build: ['make'] }],
  ['makefile', { build: ['make'] }],
  ['GNUmakefile', { build: ['make'] }],
  ['justfile', { build: ['just'] }],
  ['compose.yml', { build: ['docker-compose'] }],
  ['compose.yaml', { build: ['docker-compose'] }],
  ['docker-compose.yml', { build: ['docker-compose'] }],
  ['docker-compose.yaml', { build: ['docker-compose'] }],
  ['Dockerfile', { build: ['docker'] }],
  ['jest.config.ts', { test: ['jest'] }],
  ['jest.config.js', { test: ['jest'] }],
  ['jest.config.mjs', { test: ['jest'] }],
  ['jest.config.cjs', { test: ['jest'] }],
  ['vitest.config.ts', { test: ['vitest'] }],
  ['vitest.config.js', { test: ['vitest'] }],
  ['vitest.config.mjs', { test: ['vitest'] }],
  ['playwright.config.ts', { test: ['playwright'] }],
  ['pytest.ini', { test: ['pytest'] }],
  ['conftest.py', { test: ['pytest'] }],
  ['package-lock.json', { manager: 'npm' }],
  ['npm-shrinkwrap.json', { manager: 'npm' }],
  ['pnpm-lock.yaml', { manager: 'pnpm' }],
  ['yarn.lock', { manager: 'yarn' }],
  ['bun.lock', { manager: 'bun' }],
  ['bun.lockb', { manager: 'bun' }],
  ['uv.lock', { manager: 'uv' }],
  ['poetry.lock', { manager: 'poetry' }],
  ['pdm.lock', { manager: 'pdm' }],
  ['Pipfile.lock', { manager: 'pipenv' }],
]);

/** Managers of JavaScript packages; the others in MARKERS are Python's. */
export const NODE_MANAGERS: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn', 'bun']);
