// Estimates as people write them (`2h`, `1.5 days`, `1h 30m`), added up.
import type { Step } from './plans.ts';

const UNITS: ReadonlyMap<string, keyof Sum> = new Map([
  ...['m', 'min', 'mins', 'minute', 'minutes'].map((each) => [each, 'minutes'] as const),
  ...['h', 'hr', 'hrs', 'hour', 'hours'].map((each) => [each, 'hours'] as const),
  ...['d', 'day', 'days'].map((each) => [each, 'days'] as const),
  ...['w', 'wk', 'week', 'weeks'].map((each) => [each, 'weeks'] as const),
  ...['pt', 'pts', 'sp', 'point', 'points'].map((each) => [each, 'points'] as const),
]);

/** Days and hours are not converted into each other: how long a day is, only its people know. */
interface Sum {
  minutes: number;
  hours: number;
  days: number;
  weeks: number;
  points: number;
}

const WHOLE = /^(?:\d{1,6}(?:\.\d{1,3})? ?[a-z]{1,7}(?: |, |$)?)+$/;
const PART = /(\d{1,6}(?:\.\d{1,3})?) ?([a-z]{1,7})/g;

/** An estimate as amounts; undefined when it is written in another way. */
export function parseEstimate(text: string): Partial<Sum> | undefined {
  const given = text.toLowerCase().replace(/^[~≈] ?/, '');
  if (!WHOLE.test(given)) return undefined;
  const sum: Partial<Sum> = {};
  for (const [, amount, unit] of given.matchAll(PART)) {
    const key = UNITS.get(unit as string);
    if (key === undefined) return undefined;
    sum[key] = (sum[key] ?? 0) + Number(amount);
  }
  return sum;
}

export interface Work {
  readonly steps: number;
  /** `2 days 3 hours`; what was understood of the estimates, added up */
  readonly work: string;
  /** steps without an estimate */
  readonly unestimated: number;
  /** estimates that are not amounts, as they are written */
  readonly others?: readonly string[];
}

/** What steps take together. */
export function work(steps: readonly Pick<Step, 'estimate'>[]): Work {
  const sum: Sum = { weeks: 0, days: 0, hours: 0, minutes: 0, points: 0 };
  const others: string[] = [];
  for (const { estimate } of steps) {
    if (estimate === undefined) continue;
    const parsed = parseEstimate(estimate);
    if (!parsed) others.push(estimate);
    for (const [unit, amount] of Object.entries(parsed ?? {})) sum[unit as keyof Sum] += amount;
  }
  sum.hours += Math.floor(sum.minutes / 60);
  sum.minutes %= 60;
  const parts = Object.entries(sum).flatMap(([unit, amount]) => {
    const rounded = Math.round(amount * 1000) / 1000;
    return rounded === 0 ? [] : [`${rounded} ${rounded === 1 ? unit.slice(0, -1) : unit}`];
  });
  return {
    steps: steps.length,
    work: parts.join(' '),
    unestimated: steps.filter(({ estimate }) => estimate === undefined).length,
    ...(others.length > 0 ? { others: others.slice(0, 20) } : {}),
  };
}
