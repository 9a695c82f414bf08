// How plans and steps are shown: counts, the bar, marks, one line for a step.
import { shorten } from '@hanzo/tool';
import { isOver, type StepStatus } from './graph.ts';
import { STEP_STATUSES } from './params.ts';
import type { Plan, Step } from './plans.ts';

/** Cells of the bar (contract, local core tools 5.12). */
const CELLS = 20;
/** Characters of a description or an output in a line. */
const SHOWN = 200;
/** Ids named in a line. */
const NAMED = 10;

export const MARKS: Readonly<Record<StepStatus, string>> = {
  pending: ' ',
  in_progress: '~',
  completed: 'x',
  blocked: '!',
  skipped: '-',
};

export interface Progress {
  /** completed or skipped */
  readonly done: number;
  readonly total: number;
  /** whole percent, rounded down, so that 100 means all */
  readonly percent: number;
}

export function progressOf(done: number, total: number): Progress {
  return { done, total, percent: total === 0 ? 0 : Math.floor((100 * done) / total) };
}

export const progressIn = (steps: readonly Step[]): Progress =>
  progressOf(steps.filter(({ status }) => isOver(status)).length, steps.length);

/** `█████░░░░░░░░░░░░░░░ 25% (1 of 4)`; full only when everything is done. */
export function bar({ done, total, percent }: Progress): string {
  const full = total === 0 ? 0 : Math.floor((CELLS * done) / total);
  return `${'█'.repeat(full)}${'░'.repeat(CELLS - full)} ${percent}% (${done} of ${total})`;
}

/** How many steps have each status. */
export function counts(steps: readonly Step[]): Record<StepStatus, number> {
  const result = Object.fromEntries(STEP_STATUSES.map((each) => [each, 0])) as Record<StepStatus, number>;
  for (const { status } of steps) result[status]++;
  return result;
}

/** A text on one line, cut where it is long. */
export const onOneLine = (text: string, most = SHOWN): string => shorten(text.replaceAll(/\s+/g, ' ').trim(), most);

export function namesOnLine(ids: readonly string[]): string {
  const more = ids.length > NAMED ? `, and ${ids.length - NAMED} more` : '';
  return `${ids.slice(0, NAMED).join(', ')}${more}`;
}

/** `- [x] 1.2 Description (after 1.1; 2h; @ann; tools: fs)`, and its output below. */
export function checkbox(step: Step): string {
  const facts = [
    ...(step.dependencies.length > 0 ? [`after ${namesOnLine(step.dependencies)}`] : []),
    ...(step.estimate === undefined ? [] : [step.estimate]),
    ...(step.assignee === undefined ? [] : [`@${step.assignee}`]),
    ...(step.tools.length > 0 ? [`tools: ${shorten(step.tools.join(', '))}`] : []),
  ];
  const more = facts.length > 0 ? ` (${facts.join('; ')})` : '';
  const output = step.output ? `\n  - output: ${onOneLine(step.output)}` : '';
  return `- [${MARKS[step.status]}] ${step.id} ${onOneLine(step.description)}${more}${output}\n`;
}

/** A plan as the data of an answer; on the later pages of one only what says which it is. */
export function planData(plan: Plan, first = true): Record<string, unknown> {
  const { name, status, tags, created, updated } = plan;
  const rest = { ...(tags.length > 0 ? { tags } : {}), created, updated };
  return { id: String(plan.id), name, status, ...(first ? rest : {}) };
}

/** A step as the data of an answer, without its output. */
export function stepData(step: Step): Record<string, unknown> {
  const { id, description, status, dependencies, tools, estimate, assignee } = step;
  return {
    id,
    description,
    status,
    ...(dependencies.length > 0 ? { dependencies } : {}),
    ...(tools.length > 0 ? { tools } : {}),
    ...(estimate === undefined ? {} : { estimate }),
    ...(assignee === undefined ? {} : { assignee }),
  };
}

/** The first ids of a list that an answer names. */
export const firstOf = (ids: readonly string[]): readonly string[] => ids.slice(0, CELLS);
