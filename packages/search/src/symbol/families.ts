// Which files hold code, and which family of languages decides how a declaration reads in them.

/** Languages whose declarations read alike. */
export type Family =
  | 'script'
  | 'python'
  | 'go'
  | 'rust'
  | 'c'
  | 'cpp'
  | 'objc'
  | 'java'
  | 'kotlin'
  | 'swift'
  | 'ruby'
  | 'php'
  | 'shell'
  | 'lua'
  | 'zig'
  | 'elixir'
  | 'erlang'
  | 'haskell'
  | 'ml'
  | 'lisp'
  | 'perl'
  | 'r'
  | 'julia'
  | 'nim'
  | 'sql'
  | 'schema'
  | 'solidity'
  | 'assembly'
  | 'any';

/** Endings of file names by family, without their dot. */
const ENDINGS: Readonly<Record<Exclude<Family, 'any'>, string>> = {
  script: 'ts tsx mts cts js jsx mjs cjs vue svelte astro',
  python: 'py pyi pyx pxd',
  go: 'go',
  rust: 'rs',
  c: 'c h',
  cpp: 'cc cpp cxx c++ hh hpp hxx h++ inl ipp tpp cu cuh ino d',
  objc: 'm mm',
  java: 'java cs dart',
  kotlin: 'kt kts scala sc groovy gradle',
  swift: 'swift',
  ruby: 'rb rake gemspec cr',
  php: 'php phtml',
  shell: 'sh bash zsh ksh fish',
  lua: 'lua luau',
  zig: 'zig',
  elixir: 'ex exs',
  erlang: 'erl hrl',
  haskell: 'hs lhs elm purs',
  ml: 'ml mli fs fsi fsx re rei',
  lisp: 'clj cljs cljc edn lisp el scm rkt',
  perl: 'pl pm t',
  r: 'r R',
  julia: 'jl',
  nim: 'nim',
  sql: 'sql',
  schema: 'proto graphql gql thrift',
  solidity: 'sol',
  assembly: 's S asm',
};

const BY_ENDING: ReadonlyMap<string, Family> = new Map(
  Object.entries(ENDINGS).flatMap(([family, endings]) =>
    endings.split(' ').map((each): [string, Family] => [each, family as Family]),
  ),
);

/** Files that hold code, as globs: what a search for a symbol reads where nothing else is asked for. */
export const CODE_GLOBS: readonly string[] = [`*.{${[...BY_ENDING.keys()].join(',')}}`];

/** The family of a file by its ending; `any` for one that is not known. */
export function familyOf(file: string): Family {
  const dot = file.lastIndexOf('.');
  return (dot < 0 ? undefined : BY_ENDING.get(file.slice(dot + 1))) ?? 'any';
}
