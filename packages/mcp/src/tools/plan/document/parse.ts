// The JSON file of earlier versions (contract, local core tools 5.12) as plans that are sound, and what had to be mended for it.
import { shorten } from '@hanzo/tool';
import { findCycle, levels, type StepStatus } from '../graph.ts';
import * as p from '../params.ts';
import type { PlanStatus } from '../plans.ts';

export interface StepDraft {
  readonly number: number;
  readonly description: string;
  readonly status: StepStatus;
  /** numbers */
  readonly dependencies: number[];
  readonly tools: readonly string[];
  readonly estimate: string | undefined;
  readonly assignee: string | undefined;
  readonly output: string | undefined;
}

export interface PlanDraft {
  /** its number in the file; undefined when it has none */
  readonly id: number | undefined;
  readonly name: string;
  readonly goal: string;
  /** undefined: what the steps say */
  readonly status: PlanStatus | undefined;
  readonly tags: readonly string[];
  readonly steps: readonly StepDraft[];
  readonly notes: readonly string[];
  readonly created: string | undefined;
  readonly updated: string | undefined;
}

export interface Parsed {
  readonly plans: readonly PlanDraft[];
  readonly lastId: number;
  readonly problems: readonly string[];
}

type Unknown = ReadonlyMap<string, unknown>;

/** Other runtimes' words for a status. */
const WORDS: ReadonlyMap<string, StepStatus> = new Map([
  ...p.STEP_STATUSES.map((each) => [each, each] as const),
  ['done', 'completed'],
  ['complete', 'completed'],
  ['in-progress', 'in_progress'],
  ['failed', 'blocked'],
  ['cancelled', 'skipped'],
]);

/** Reads a document. Throws a sentence when it is none of plans. */
export function parseDocument(document: unknown): Parsed {
  const root = asMap(document);
  const list = Array.isArray(document) ? document : root?.get('plans');
  if (!Array.isArray(list)) throw new Error("it has no list of 'plans'");
  const problems: string[] = [];
  return {
    plans: list.flatMap((each, i) => parsePlan(each, i, problems)),
    lastId: numberOf(root?.get('lastId')) ?? 0,
    problems,
  };
}

function parsePlan(each: unknown, i: number, problems: string[]): PlanDraft[] {
  const from = asMap(each);
  const name = from && line(from.get('name') ?? from.get('goal'), 200);
  const given = from?.get('steps') ?? [];
  const where = from?.has('id') ? `plan ${shorten(String(from.get('id')), 20)}` : `plan at ${i}`;
  if (!from || name === undefined || !Array.isArray(given) || given.length > p.MOST_STEPS) {
    const why =
      !from || name === undefined
        ? 'has no name'
        : Array.isArray(given)
          ? 'has too many steps'
          : 'has no list of steps';
    problems.push(`${where} ${why} and was left out`);
    return [];
  }
  const notes = from.get('notes');
  return [
    {
      id: numberOf(from.get('id')),
      name,
      goal: long(from.get('goal'), 4000) ?? name,
      status: p.PLAN_STATUSES.find((status) => status === from.get('status')),
      tags: lines(from.get('tags')),
      steps: parseSteps(given, numberOf(from.get('id')), where, problems),
      notes: (Array.isArray(notes) ? notes : [notes]).flatMap((note) => long(note, 10_000) ?? []),
      created: timeOf(from.get('created') ?? from.get('createdAt')),
      updated: timeOf(from.get('updated') ?? from.get('updatedAt')),
    },
  ];
}

function parseSteps(
  given: readonly unknown[],
  plan: number | undefined,
  where: string,
  problems: string[],
): StepDraft[] {
  const maps = given.flatMap((each, i) => {
    const map = asMap(typeof each === 'string' ? { description: each } : each);
    const description = long(map?.get('description') ?? map?.get('title') ?? map?.get('text'), 2000);
    if (map && description !== undefined) return [{ map, description }];
    problems.push(`${where}: its step at ${i} has no description and was left out`);
    return [];
  });
  const numbers = numbersFor(maps.map(({ map }) => map));
  const steps = maps.map(({ map, description }, i): StepDraft => {
    const status = WORDS.get(String(map.get('status') ?? 'pending'));
    const output = map.get('output');
    if (!status) problems.push(`${where}: its step ${numbers.own[i]} had an unknown status and is pending`);
    return {
      number: numbers.own[i] as number,
      description,
      status: status ?? 'pending',
      dependencies: [],
      tools: lines(map.get('tools')),
      estimate: line(map.get('estimate'), 100),
      assignee: line(map.get('assignee'), 100),
      output: typeof output === 'string' ? output.toWellFormed().slice(0, 100_000).toWellFormed() : undefined,
    };
  });
  for (const [i, step] of steps.entries()) {
    const names = maps[i]?.map.get('dependencies');
    const found = (Array.isArray(names) ? names : []).map((each) => ({ each, number: meant(each, plan, numbers) }));
    for (const { each, number } of found) {
      if (number === undefined) {
        problems.push(
          `${where}: its step ${step.number} depended on '${shorten(String(each), 20)}', which is no step of it`,
        );
      } else if (!step.dependencies.includes(number) && step.dependencies.length < p.MOST_DEPENDENCIES) {
        step.dependencies.push(number);
      }
    }
  }
  mendCycles(steps, where, problems);
  return steps;
}

interface Numbers {
  /** of each step, in order */
  readonly own: readonly number[];
  /** by the id in the file */
  readonly byId: ReadonlyMap<string, number>;
}

/** The number in `<plan>.<number>` where it is one and nobody else has it; the next free one otherwise. */
function numbersFor(steps: readonly Unknown[]): Numbers {
  const wanted = steps.map((each) => Number(/^(?:\d{1,9}\.)?(\d{1,6})$/.exec(idOf(each) ?? '')?.[1] ?? 0));
  let last = Math.max(0, ...wanted);
  const taken = new Set<number>();
  const byId = new Map<string, number>();
  const own = steps.map((each, i) => {
    const number = wanted[i] === 0 || taken.has(wanted[i] as number) ? ++last : (wanted[i] as number);
    taken.add(number);
    const id = idOf(each);
    if (id !== undefined && !byId.has(id)) byId.set(id, number);
    return number;
  });
  return { own, byId };
}

const idOf = (step: Unknown): string | undefined => {
  const id = step.get('id');
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
};

/**
 * The step a dependency in the file means. Earlier versions cloned a plan with the dependencies of the old one: `1.2` in plan 4
 * is 4.2.
 */
function meant(given: unknown, plan: number | undefined, { own, byId }: Numbers): number | undefined {
  const name = typeof given === 'number' || typeof given === 'string' ? String(given) : '';
  const direct = byId.get(name) ?? byId.get(`${plan}.${name}`);
  if (direct !== undefined) return direct;
  const number = Number(/^\d{1,9}\.(\d{1,6})$/.exec(name)?.[1] ?? 0);
  return own.includes(number) ? number : undefined;
}

/** Cycles of one plan that are mended one by one. */
const MOST_CYCLES = 100;

/** Leaves out, of each cycle, the dependency that closes it. */
function mendCycles(steps: readonly StepDraft[], where: string, problems: string[]): void {
  const byNumber = new Map(steps.map((each) => [String(each.number), each]));
  for (let i = 0; ; i++) {
    const graph = new Map(steps.map((each) => [String(each.number), each.dependencies.map(String)]));
    const cycle = findCycle(graph);
    if (!cycle) return;
    if (i === MOST_CYCLES) {
      for (const id of levels(graph).rest) byNumber.get(id)?.dependencies.splice(0);
      problems.push(`${where}: it had too many cycles; the steps on them no longer depend on anything`);
      return;
    }
    const [from, to] = cycle.slice(-2) as [string, string];
    const list = byNumber.get(from)?.dependencies ?? [];
    list.splice(list.indexOf(Number(to)), 1);
    problems.push(
      `${where}: its steps ${cycle.slice(0, 10).join(' -> ')} were a cycle; ${from} no longer depends on ${to}`,
    );
  }
}

function numberOf(given: unknown): number | undefined {
  const number = typeof given === 'string' && /^\d{1,12}$/.test(given) ? Number(given) : given;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

function long(given: unknown, most: number): string | undefined {
  const text = typeof given === 'string' ? given.toWellFormed().trim().slice(0, most).toWellFormed() : '';
  return text === '' ? undefined : text;
}

function line(given: unknown, most: number): string | undefined {
  return typeof given === 'string' ? long(given.replaceAll(/[\s\p{Cc}]+/gu, ' '), most) : undefined;
}

function lines(given: unknown): string[] {
  return Array.isArray(given) ? given.flatMap((each) => line(each, 100) ?? []).slice(0, 32) : [];
}

/** A time of the file as ISO 8601 in UTC. */
function timeOf(given: unknown): string | undefined {
  const time = typeof given === 'string' || typeof given === 'number' ? new Date(given) : undefined;
  return time && !Number.isNaN(time.getTime()) ? time.toISOString() : undefined;
}

function asMap(given: unknown): Unknown | undefined {
  return typeof given === 'object' && given !== null && !Array.isArray(given)
    ? new Map(Object.entries(given))
    : undefined;
}
