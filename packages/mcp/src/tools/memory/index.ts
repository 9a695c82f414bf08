// The memory tool: what is to be known again in a later session, kept in the one database.
import { defineTool } from '@hanzo/tool';
import type { Local } from '../../local.ts';
import { exportAll, importAll } from './document/actions.ts';
import { facts, kbAction } from './facts.ts';
import { history, list, namespaces, recall, search, stats } from './read.ts';
import { clear, deleteEntry, manage, merge } from './remove.ts';
import { create, store, summarize, tagEntry, untagEntry, update } from './write.ts';

export const memory = defineTool<Local>({
  name: 'memory',
  title: 'Memory',
  summary: 'Notes that last: value under key in a namespace.',
  aliases: { id: 'key', content: 'value', scope: 'namespace', kb_name: 'kb' },
  actionAliases: {
    add: 'create',
    get: 'recall',
    remember: 'store',
    find: 'search',
    remove: 'delete',
    forget: 'delete',
  },
  actions: {
    store,
    recall,
    search,
    list,
    update,
    delete: deleteEntry,
    create,
    tag: tagEntry,
    untag: untagEntry,
    namespaces,
    history,
    stats,
    merge,
    manage,
    summarize,
    facts,
    kb: kbAction,
    export: exportAll,
    import: importAll,
    clear,
  },
});
