// Every ecosystem whose manifests are read, in the order answers keep.
import { cmake, conan, vcpkg } from './cpp.ts';
import { dotnet, packagesConfig, solution } from './dotnet.ts';
import { go, goWork } from './go.ts';
import { gradle, gradleSettings, maven } from './java.ts';
import { dart, elixir, swift } from './mobile.ts';
import { node } from './node.ts';
import { php } from './php.ts';
import { pipfile, pyproject, requirements, setupCfg } from './python.ts';
import { gemfile, gemspec } from './ruby.ts';
import { rust } from './rust.ts';
import type { Ecosystem } from './types.ts';

const ECOSYSTEMS: readonly Ecosystem[] = [
  node,
  pyproject,
  requirements,
  pipfile,
  setupCfg,
  rust,
  go,
  goWork,
  maven,
  gradle,
  gradleSettings,
  dotnet,
  packagesConfig,
  solution,
  gemfile,
  gemspec,
  php,
  elixir,
  swift,
  dart,
  vcpkg,
  conan,
  cmake,
];

/** The ecosystem a file name belongs to. */
export const ecosystemOf = (name: string): Ecosystem | undefined => ECOSYSTEMS.find(({ names }) => names.test(name));
