// The fs tool: files as bytes, edited only against what was read.
import { defineTool } from '@hanzo/tool';
import type { Local } from '../../local.ts';
import { applyPatch } from './apply-patch.ts';
import { list } from './list.ts';
import { mkdir, mv, rm } from './manage.ts';
import { patch } from './patch/index.ts';
import { read } from './read/index.ts';
import { searchText } from './search/index.ts';
import { stat } from './stat.ts';
import { write } from './write.ts';

/** Reading, editing, listing and searching of files. */
export const fs = defineTool<Local>({
  name: 'fs',
  title: 'Files',
  summary: 'Read, search and change files. write creates, apply_patch edits, patch does many files.',
  actions: {
    read,
    write,
    stat,
    list,
    apply_patch: applyPatch,
    patch,
    search_text: searchText,
    mv,
    mkdir,
    rm,
  },
  aliases: {
    path: 'uri',
    file: 'uri',
    file_path: 'uri',
    old_string: 'old_text',
    new_string: 'new_text',
    text: 'content',
    to: 'destination',
    query: 'pattern',
    max_results: 'limit',
    context_lines: 'context',
    patch: 'input',
  },
  actionAliases: { edit: 'apply_patch', move: 'mv', delete: 'rm', search: 'search_text', create: 'write' },
});
