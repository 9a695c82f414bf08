// Estimates as people write them.
import { expect, test } from 'vitest';
import { parseEstimate, work } from './estimate.ts';

test.each([
  ['2h', { hours: 2 }],
  ['2 Hours', { hours: 2 }],
  ['1.5 days', { days: 1.5 }],
  ['1h 30m', { hours: 1, minutes: 30 }],
  ['1h30m', { hours: 1, minutes: 30 }],
  ['1 week, 2 days', { weeks: 1, days: 2 }],
  ['~90 min', { minutes: 90 }],
  ['3 points', { points: 3 }],
  ['5m 5m', { minutes: 10 }],
])('%s is understood', (text, sum) => {
  expect(parseEstimate(text)).toEqual(sum);
});

test.each(['', 'soon', '2', 'h', '2-3h', '2 constructor', '2h or more', '-2h', '2 h h', `${'9'.repeat(90)}h`])(
  '%j is not',
  (text) => {
    expect(parseEstimate(text)).toBeUndefined();
  },
);

test('sums carry minutes into hours, and hours into nothing', () => {
  const steps = ['90m', '23h', '0.1h', '0.2h', '1 day', '1 hour'].map((estimate) => ({ estimate }));
  expect(work(steps)).toEqual({ steps: 6, work: '1 day 25.3 hours 30 minutes', unestimated: 0 });
  expect(work([{ estimate: undefined }])).toEqual({ steps: 1, work: '', unestimated: 1 });
});
