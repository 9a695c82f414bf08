// The plan tool: steps that depend on one another, kept in the one database.
import { defineTool } from '@hanzo/tool';
import type { Local } from '../../local.ts';
import { addStep, archive, cancel, clear, removeStep, update } from './change.ts';
import { clone, create } from './make.ts';
import { notes } from './notes.ts';
import { estimate, get, list, next, progress, show, visualize } from './read.ts';

export const plan = defineTool<Local>({
  name: 'plan',
  title: 'Plan',
  summary: 'Plans of steps with dependencies; id may be latest.',
  aliases: { step_id: 'stepId', plan_id: 'id', deps: 'dependencies' },
  actionAliases: { add: 'add_step', remove: 'remove_step', update_step: 'update', note: 'notes', delete: 'clear' },
  actions: {
    create,
    show,
    update,
    list,
    next,
    archive,
    add_step: addStep,
    remove_step: removeStep,
    estimate,
    visualize,
    clone,
    cancel,
    notes,
    progress,
    get,
    clear,
  },
});
