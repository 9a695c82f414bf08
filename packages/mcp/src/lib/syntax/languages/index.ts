// The table of languages: adding one is a row here. Also which language a file is in.
import path from 'node:path';
import { nearest, ToolError } from '@hanzo/tool';
import { bash } from './bash.ts';
import { c, cpp } from './c.ts';
import { csharp } from './csharp.ts';
import { go } from './go.ts';
import { java } from './java.ts';
import { json } from './json.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import type { Row } from './row.ts';
import { ruby } from './ruby.ts';
import { rust } from './rust.ts';
import { javascript, tsx, typescript } from './script.ts';

const ROWS = {
  typescript,
  tsx,
  javascript,
  python,
  go,
  rust,
  java,
  c,
  cpp,
  csharp,
  ruby,
  php,
  bash,
  json,
} as const satisfies Readonly<Record<string, Row>>;

export type LanguageId = keyof typeof ROWS;

/** Every language, in the order of the table. */
export const LANGUAGES = Object.keys(ROWS) as readonly LanguageId[];

/** Other names that callers give languages. */
const CALLED: Readonly<Record<string, LanguageId>> = {
  ts: 'typescript',
  js: 'javascript',
  jsx: 'javascript',
  node: 'javascript',
  py: 'python',
  golang: 'go',
  rs: 'rust',
  'c++': 'cpp',
  cxx: 'cpp',
  'c#': 'csharp',
  cs: 'csharp',
  c_sharp: 'csharp',
  rb: 'ruby',
  sh: 'bash',
  shell: 'bash',
};

export const rowOf = (language: LanguageId): Row => ROWS[language];

/** The language of a name a caller gives; INVALID_PARAMS for one that is not known. */
export function languageNamed(name: string): LanguageId {
  const wanted = name.toLowerCase();
  const known = LANGUAGES.find((each) => each === wanted) ?? new Map(Object.entries(CALLED)).get(wanted);
  if (known) return known;
  const meant = nearest(wanted, LANGUAGES);
  throw new ToolError(
    'INVALID_PARAMS',
    `'language': '${name.slice(0, 40)}' is not one of ${LANGUAGES.join(', ')}${meant ? `; did you mean ${meant}?` : ''}`,
    { param: 'language' },
  );
}

const BY_ENDING = new Map<string, LanguageId>();
const BY_NAME = new Map<string, LanguageId>();
const BY_INTERPRETER = new Map<string, LanguageId>();
for (const id of LANGUAGES) {
  const row: Row = ROWS[id];
  for (const each of row.endings) BY_ENDING.set(each, id);
  for (const each of row.names ?? []) BY_NAME.set(each, id);
  for (const each of row.interpreters ?? []) BY_INTERPRETER.set(each, id);
}

/**
 * The language of a file by its name; by the first line of its text where the name says nothing; and whether an `.h` is C++ by
 * words that C does not have. Undefined for a file in none of the languages.
 */
export function languageOf(file: string, text = ''): LanguageId | undefined {
  const name = path.basename(file);
  const ending = path.extname(name).slice(1);
  const known = BY_NAME.get(name) ?? BY_ENDING.get(ending) ?? BY_ENDING.get(ending.toLowerCase());
  if (known === 'c' && ending.toLowerCase() === 'h' && CPP.test(text.slice(0, 65_536))) return 'cpp';
  if (known || ending !== '') return known;
  const [, program = ''] = /^#!\s*\S*?([^/\s]+)(?:[ \t]|\r?\n|$)/.exec(text.slice(0, 300)) ?? [];
  const [, second = ''] = /^#!\s*\S*\/env\s+(?:-S\s+)?(\S+)/.exec(text.slice(0, 300)) ?? [];
  return BY_INTERPRETER.get((second || program).replace(/[\d.]+$/, ''));
}

const CPP =
  /^[ \t]*(?:class\s+\w+\s*(?:final\s*)?[:{]|template\s*<|namespace\s+[\w:]+\s*\{|using\s+[\w:]+\s*[=;]|(?:public|private|protected)\s*:)/m;

/** Whether a file's name is of a known language, or leaves it to the first line. */
export const mayBeSource = (file: string): boolean => path.extname(file) === '' || languageOf(file) !== undefined;
