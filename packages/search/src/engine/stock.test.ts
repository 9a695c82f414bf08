// Memory that is lent to one search after another.
import { expect, it } from 'vitest';
import { Stock } from './stock.ts';

it('what was given back is lent again, with nothing left of what it held', () => {
  const stock = new Stock();
  const first = stock.take(100, true);
  for (const column of [first.state, first.count, first.definitions!, first.stamps]) column.fill(7);
  stock.give(first);
  const second = stock.take(90, true);
  expect(second.state.buffer).toBe(first.state.buffer);
  for (const column of [second.state, second.count, second.definitions!]) {
    expect(column.length).toBe(90);
    expect(column.every((each) => each === 0)).toBe(true);
  }
  expect(second.stamps.length).toBe(270);
  expect(second.stamps.every((each) => each === 0)).toBe(true);
});

it('what is lent is nobody else’s, and too little is not lent', () => {
  const stock = new Stock();
  const [first, second] = [stock.take(10, false), stock.take(10, false)];
  expect(first.state.buffer).not.toBe(second.state.buffer);
  stock.give(first);
  expect(stock.take(11, false).state.buffer).not.toBe(first.state.buffer);
  expect(stock.take(10, false).state.buffer).toBe(first.state.buffer);
});
