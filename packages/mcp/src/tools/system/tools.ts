// tool: which tools this server was started with, and switching them on and off.
import { nearest, shorten, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { act } from '../../local.ts';

/** What can never be switched off: the way back, and what the others are governed by. */
const CRITICAL: ReadonlySet<string> = new Set(['system', 'tool', 'version', 'stats', 'config', 'mode']);

const CATEGORIES: ReadonlyMap<string, string> = new Map([
  ['fs', 'files'],
  ['code', 'files'],
  ['exec', 'processes'],
  ['npx', 'processes'],
  ['uvx', 'processes'],
  ['jq', 'data'],
  ['git', 'vcs'],
  ['fetch', 'network'],
  ['workspace', 'project'],
  ['system', 'server'],
]);

const category = (name: string): string => CATEGORIES.get(name) ?? 'other';

export const tool = act({
  summary: 'lists tools, or tells, enables or disables tool name; persist false: only until the server ends',
  effect: 'write',
  destructive: false,
  input: z.object({
    tool_action: z.enum(['list', 'status', 'enable', 'disable']).optional(),
    name: z.string().optional(),
    persist: z.boolean().optional(),
    category: z.string().optional(),
    enabled: z.boolean().optional(),
    disabled: z.boolean().optional(),
  }),
  async run(ctx, input) {
    const { surface, access } = ctx.env;
    const op = input.tool_action ?? 'list';
    const served = surface.served();
    if (op === 'list') {
      const all = served.map((name) => ({ name, category: category(name), enabled: surface.isEnabled(name) }));
      const shown = all.filter(
        (each) =>
          (input.category === undefined || each.category === input.category) &&
          (!input.enabled || each.enabled) &&
          (!input.disabled || !each.enabled),
      );
      const enabled = all.filter((each) => each.enabled).length;
      return {
        data: { action: op, tools: shown, total: all.length, enabled, disabled: all.length - enabled },
      };
    }
    if (input.name === undefined)
      throw new ToolError('INVALID_PARAMS', `tool_action ${op} needs 'name'`, { param: 'name' });
    const { name } = input;
    if (!served.includes(name)) {
      const meant = nearest(name, served);
      throw new ToolError(
        'NOT_FOUND',
        `this server was not started with a tool '${shorten(name)}'${meant ? `; did you mean '${meant}'?` : `; it has ${served.join(', ')}`}`,
        { param: 'name', available: served },
      );
    }
    const critical = CRITICAL.has(name);
    const before = surface.isEnabled(name);
    if (op === 'status') return { data: { action: op, name, category: category(name), enabled: before, critical } };
    const enabled = op === 'enable';
    if (critical && !enabled) {
      throw new ToolError('INVALID_PARAMS', `'${name}' cannot be disabled: without it there would be no way back`, {
        param: 'name',
        critical: true,
      });
    }
    // A read-only server changes no file, its own included.
    const readOnly = access.level === 'read-only';
    const persist = input.persist ?? true;
    const failed = surface.setEnabled(name, enabled, persist && !readOnly);
    const note = persist && readOnly ? 'a read-only server keeps no choice; it holds until the server ends' : failed;
    const persisted = persist && note === undefined;
    return { data: { action: op, name, changed: before !== enabled, enabled, persisted, ...(note ? { note } : {}) } };
  },
});
