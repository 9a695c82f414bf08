// Every rule's own examples: what it matches, and what it must leave alone.
import { describe, expect, test } from 'vitest';
import { explain } from '../classify.ts';
import { FAMILIES } from './index.ts';

/** A project in a home of its own, with nothing in it that could be read. */
const QUESTION = { cwd: '/home/dev/project', roots: ['/home/dev/project'], machine: { home: '/home/dev' } } as const;

for (const [family, rules] of Object.entries(FAMILIES)) {
  describe(family, () => {
    for (const rule of rules) {
      test.each(Object.entries(rule.examples))(`${rule.names[0]}: %s`, (command, expected) => {
        const verdict = explain({ ...QUESTION, command });
        expect({ decision: verdict.decision, reasons: verdict.decision === expected ? [] : verdict.reasons }).toEqual({
          decision: expected,
          reasons: [],
        });
      });
    }
  });
}
