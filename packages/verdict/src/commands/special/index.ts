// Readers for programs whose arguments are a language of their own.
import type { Special } from '../types.ts';
import { alias, cd, evaluate, exec, popd, set, shift, source, trap, unknownVariables, variables } from './builtins.ts';
import { cat, echo, printf } from './print.ts';
import { environment } from './env.ts';
import { find } from './find.ts';
import { interpreter } from './interpreter.ts';
import { shell } from './shell.ts';
import { wrapper } from './wrapper.ts';
import { xargs } from './xargs.ts';

export const SPECIALS: Readonly<Record<string, Special>> = {
  alias,
  cat,
  cd,
  echo,
  env: environment,
  eval: evaluate,
  exec,
  find,
  interpreter,
  popd,
  printf,
  set,
  shell,
  shift,
  source,
  trap,
  'unknown-variables': unknownVariables,
  variables,
  wrapper,
  xargs,
};
