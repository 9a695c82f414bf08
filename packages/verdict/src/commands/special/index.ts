// Readers for programs whose arguments are a language of their own.
import type { Special } from '../types.ts';
import { alias, cd, evaluate, exec, popd, set, shift, source, trap, unknownVariables, variables } from './builtins.ts';
import { curl, scp, sender, ssh } from './network.ts';
import { cat, echo, printf } from './print.ts';
import { environment } from './env.ts';
import { dd, permissions, rsync } from './files.ts';
import { find } from './find.ts';
import { git, grouped } from './git.ts';
import { interpreter } from './interpreter.ts';
import { awk, sed } from './scripts.ts';
import { shell } from './shell.ts';
import { wrapper } from './wrapper.ts';
import { xargs } from './xargs.ts';

export const SPECIALS: Readonly<Record<string, Special>> = {
  alias,
  awk,
  cat,
  cd,
  curl,
  dd,
  echo,
  env: environment,
  eval: evaluate,
  exec,
  find,
  git,
  grouped,
  interpreter,
  permissions,
  popd,
  printf,
  rsync,
  scp,
  sed,
  sender,
  set,
  shell,
  shift,
  source,
  ssh,
  trap,
  'unknown-variables': unknownVariables,
  variables,
  wrapper,
  xargs,
};
