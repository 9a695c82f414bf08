// patch: many files changed at once, all of them or none; in sections or as a unified diff.
import path from 'node:path';
import { type ActionResult, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { act, type Ctx } from '../../../local.ts';
import { leftAside } from '../../../lib/leftovers.ts';
import { lockKeys, locked } from '../../../lib/edits/disk/lock.ts';
import { Changed } from '../../../lib/edits/disk/replace.ts';
import { unixEnds } from '../../../lib/edits/text/lines.ts';
import type { Change } from '../../../lib/edits/patch/change.ts';
import { commit } from '../../../lib/edits/patch/commit.ts';
import { makePlan, type Plan, resolveTargets, type Target } from '../../../lib/edits/patch/plan.ts';
import { fitting } from './results.ts';
import { hasSections, parseSections } from '../../../lib/edits/patch/sections.ts';
import { parseUnified } from '../../../lib/edits/patch/unified.ts';

/** How often a patch is worked out anew when somebody else writes one of its files meanwhile. */
const ATTEMPTS = 5;

export const patch = act({
  summary: 'apply a multi-file patch, all or nothing',
  effect: 'write',
  input: z.strictObject({
    input: z.string().describe('*** Begin Patch … or unified diff'),
  }),
  async run(ctx, { input }): Promise<ActionResult> {
    const targets = await resolveTargets(ctx, parse(input));
    const touched = targets.flatMap(({ file, to }) => (to === undefined ? [file] : [file, to]));
    const left = await leftAside(touched.map((file) => path.dirname(file)));
    const plan = await locked(lockKeys(touched), () => carriedOut(ctx, targets, left));
    return { data: { ...fitting(plan.results, ctx.maxOutput, left), success: true } };
  },
});

function parse(input: string): Change[] {
  const lines = unixEnds(input).split('\n');
  if (lines.at(-1) === '') lines.pop();
  const changes = hasSections(lines) ? parseSections(lines) : parseUnified(lines);
  if (changes.length > 0) return changes;
  throw new ToolError(
    'INVALID_PARAMS',
    "'input' holds no patch; give *** Update File: PATH with hunks of @@, space, - and + lines (also *** Add File:, *** Delete File:), or a unified diff",
    { param: 'input' },
  );
}

async function carriedOut(ctx: Ctx, targets: readonly Target[], left: readonly string[]): Promise<Plan> {
  for (let attempt = 1; ; attempt++) {
    const plan = await makePlan(ctx, targets);
    if (plan.failed) throw refused(ctx, plan, left, plan.failed);
    try {
      await commit(plan.steps);
      return plan;
    } catch (error) {
      if (error instanceof Changed) {
        if (attempt < ATTEMPTS) continue;
        throw refused(
          ctx,
          plan,
          left,
          new ToolError('CONFLICT', 'a file of the patch is being written by somebody else all the time', {}),
        );
      }
      if (error instanceof ToolError) throw refused(ctx, plan, left, error);
      throw error;
    }
  }
}

/** One failure and nothing is written; what each file would have come to is in the answer. */
function refused(ctx: Ctx, plan: Plan, left: readonly string[], error: ToolError): ToolError {
  const failures = plan.results.filter((each) => !each.success).length;
  const { results, ...rest } = fitting(plan.results, ctx.maxOutput, left);
  const shown = results.map((each) => {
    if (!each.success) return each;
    const { hash: _hash, ...about } = each;
    return { ...about, success: false, message: 'would apply; not written' };
  });
  const more = failures > 1 ? ` (and ${failures - 1} more)` : '';
  return new ToolError(error.code, `nothing was written: ${error.message}${more}`, error.details, {
    data: { results: shown, ...rest, success: false },
  });
}
