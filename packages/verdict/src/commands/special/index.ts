// Readers for programs whose arguments are a language of their own.
import type { Special } from '../types.ts';
import {
  alias,
  cd,
  evaluate,
  exec,
  popd,
  quiet,
  set,
  shift,
  source,
  trap,
  unknownVariables,
  variables,
} from './builtins.ts';
import { curl, scp, sender, ssh } from './network.ts';
import { builds, npm, npx, pythonPackages, systemPackages } from './packages.ts';
import { compilers, make, nodeTools, pythonTools } from './builds.ts';
import { cat, echo, pager, printf, pwd } from './print.ts';
import { environment } from './env.ts';
import { dd, link, permissions, rsync } from './files.ts';
import { fd, find } from './find.ts';
import { git, grouped } from './git.ts';
import { interpreter } from './interpreter.ts';
import { awk, sed } from './scripts.ts';
import { tar, unpack, zip } from './archives.ts';
import { ansible, aws, cloud } from './clouds.ts';
import { docker, kubectl } from './containers.ts';
import { redis, server, sqlite } from './databases.ts';
import { media, open } from './desktop.ts';
import { ed, vim } from './editors.ts';
import {
  around,
  disks,
  guarded,
  inside,
  joined,
  kill,
  later,
  locked,
  parallel,
  services,
  sessions,
  settings,
  su,
} from './system.ts';
import { shell } from './shell.ts';
import { wrapper } from './wrapper.ts';
import { xargs } from './xargs.ts';

export const SPECIALS: Readonly<Record<string, Special>> = {
  alias,
  ansible,
  around,
  aws,
  cloud,
  disks,
  docker,
  ed,
  guarded,
  inside,
  joined,
  kill,
  kubectl,
  later,
  locked,
  media,
  open,
  pager,
  parallel,
  pwd,
  quiet,
  redis,
  server,
  services,
  sessions,
  settings,
  sqlite,
  su,
  tar,
  unpack,
  vim,
  awk,
  builds,
  cat,
  cd,
  compilers,
  curl,
  dd,
  echo,
  env: environment,
  eval: evaluate,
  exec,
  fd,
  find,
  git,
  grouped,
  interpreter,
  link,
  make,
  'node-tools': nodeTools,
  npm,
  npx,
  permissions,
  popd,
  printf,
  'python-packages': pythonPackages,
  'python-tools': pythonTools,
  rsync,
  scp,
  sed,
  sender,
  set,
  shell,
  shift,
  source,
  ssh,
  'system-packages': systemPackages,
  trap,
  'unknown-variables': unknownVariables,
  variables,
  wrapper,
  xargs,
  zip,
};
