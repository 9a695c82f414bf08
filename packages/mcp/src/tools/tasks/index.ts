// The tasks tool: a to-do list of this machine, a tree of items kept in the one database.
import { defineTool } from '@hanzo/tool';
import type { Local } from '../../local.ts';
import { archive, move } from './arrange.ts';
import { exportAll, importAll } from './document/actions.ts';
import { list, search, stats, subtasks } from './read.ts';
import { clear, deleteTask } from './remove.ts';
import { add, assign, batch, notes, prioritize, update } from './write.ts';

export const tasks = defineTool<Local>({
  name: 'tasks',
  title: 'Tasks',
  summary: 'To-do list that lasts, with subtasks.',
  // contract, local core tools 5.13
  aliases: { title: 'content', text: 'content', filter: 'status', note: 'text' },
  actionAliases: { create: 'add', remove: 'delete', find: 'search', note: 'notes' },
  actions: {
    add,
    list,
    update,
    delete: deleteTask,
    stats,
    search,
    batch,
    archive,
    move,
    prioritize,
    assign,
    subtasks,
    notes,
    export: exportAll,
    import: importAll,
    clear,
  },
});
