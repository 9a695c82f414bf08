// The actions of code that change files: each shows a patch, and writes it, all or nothing, where `apply` says so;
// and those that read a tree to say what could be changed.
import type { Action } from '@hanzo/tool';
import type { Local } from '../../../local.ts';
import { complexity, signatures } from './complexity.ts';
import { deadCode, duplicates } from './dead-code.ts';
import { extract } from './extract.ts';
import { grepReplace } from './grep-replace.ts';
import { organizeImports } from './imports.ts';
import { inline } from './inline.ts';
import { move } from './move.ts';
import { rename, renameBatch } from './rename.ts';
import { transform } from './transform.ts';

export const changeActions = {
  rename,
  rename_batch: renameBatch,
  grep_replace: grepReplace,
  transform,
  extract,
  inline,
  move,
  organize_imports: organizeImports,
  dead_code: deadCode,
  complexity,
  duplicates,
  signatures,
} satisfies Record<string, Action<Local>>;
