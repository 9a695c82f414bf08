// jq: a filter over JSON, by the jq program or, where it is missing, by its WebAssembly build.
import { defineTool } from '@hanzo/tool';
import { z } from 'zod';
import { act, type Local } from '../../local.ts';
import { filterJson } from './filter.ts';

export const jq = defineTool<Local>({
  name: 'jq',
  title: 'JSON',
  summary: 'Run a jq filter over JSON text or a JSON file.',
  defaultAction: 'run',
  actions: {
    run: act({
      summary: 'Filter JSON',
      effect: 'read',
      input: z.strictObject({
        filter: z.string().min(1).max(100_000),
        input: z.string().optional().describe('JSON text'),
        file: z.string().optional(),
        raw: z.boolean().optional().describe('strings unquoted'),
        compact: z.boolean().optional(),
        slurp: z.boolean().optional().describe('all inputs as one array'),
        sort_keys: z.boolean().optional(),
      }),
      run: filterJson,
    }),
  },
});
