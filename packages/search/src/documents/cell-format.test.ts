import { expect, test } from 'vitest';
import { formatOf, formatValue } from './cell-format.ts';

const shown = (value: string, id: number, code?: string, from1904 = false): string =>
  formatValue(value, formatOf(id, code), from1904);

test('general numbers lose only what binary added', () => {
  expect(shown('0.1', 0)).toBe('0.1');
  expect(shown('1.1000000000000001', 0)).toBe('1.1');
  expect(shown('123456789012', 0)).toBe('123456789012');
  expect(shown('-3.50', 0)).toBe('-3.5');
  expect(shown('1E-3', 0)).toBe('0.001');
});

test('fixed decimals round half away from zero', () => {
  expect(shown('1.005', 2)).toBe('1.01');
  expect(shown('-1.005', 2)).toBe('-1.01');
  expect(shown('2.5', 1)).toBe('3');
  expect(shown('-0.001', 2)).toBe('0.00');
  expect(shown('1234.5', 164, '0.000')).toBe('1234.500');
});

test('thousands and per cent', () => {
  expect(shown('1234567', 3)).toBe('1,234,567');
  expect(shown('999', 3)).toBe('999');
  expect(shown('-1234.5678', 164, '#,##0.0000')).toBe('-1,234.5678');
  expect(shown('0.256', 9)).toBe('26%');
  expect(shown('0.256', 164, '0.0%')).toBe('25.6%');
});

test('built-in dates and times', () => {
  expect(shown('1', 14)).toBe('1900-01-01');
  expect(shown('59', 14)).toBe('1900-02-28');
  expect(shown('60', 14)).toBe('1900-02-29');
  expect(shown('61', 14)).toBe('1900-03-01');
  expect(shown('45292', 14)).toBe('2024-01-01');
  expect(shown('0.75', 20)).toBe('18:00:00');
  expect(shown('45292.25', 22)).toBe('2024-01-01 06:00:00');
  expect(shown('1.5', 46)).toBe('36:00:00');
  expect(shown('0', 14, undefined, true)).toBe('1904-01-01');
});

test('codes of the workbook', () => {
  expect(shown('45292', 164, 'd. mmmm yyyy')).toBe('2024-01-01');
  expect(shown('45292.5', 164, '[$-409]m/d/yy h:mm AM/PM;@')).toBe('2024-01-01 12:00:00');
  expect(shown('0.5', 164, 'mm:ss')).toBe('12:00:00');
  expect(shown('1.25', 164, '[h]:mm')).toBe('30:00:00');
  expect(shown('45292', 164, 'mmm')).toBe('2024-01-01');
});

test('colours, quoted text and conditions are no dates', () => {
  expect(shown('5', 164, '[Red]0.0')).toBe('5.0');
  expect(shown('5', 164, '0" days"')).toBe('5');
  expect(shown('5', 164, 'General')).toBe('5');
  expect(shown('5', 164, '[>100]0;General')).toBe('5');
  expect(shown('1234.5', 164, '_-* #,##0.00_-')).toBe('1,234.50');
});

test('what no date system holds stays a number', () => {
  expect(shown('-1', 14)).toBe('-1');
  expect(shown('3000000', 14)).toBe('3000000');
  expect(shown('abc', 14)).toBe('abc');
});
