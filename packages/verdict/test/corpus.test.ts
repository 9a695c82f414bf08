// The corpora: what does harm is never let through, and what developers type all day is not held up.
import { describe, expect, test } from 'vitest';
import type { Case } from '../corpus/case.ts';
import { evasions } from '../corpus/evasions.ts';
import { innocents } from '../corpus/innocents.ts';
import { classify } from '../src/index.ts';
import type { Decision } from '../src/index.ts';

/** Evasions that ought to be denied, and can only be asked about; each with its reason. */
const UNDECIDED: Readonly<Record<string, string>> = {};

/** Innocents that are asked about all the same; each with its reason. */
const HELD_UP: Readonly<Record<string, string>> = {
  'openssl version': 'openssl has one rule for all it does, most of which handles keys',
};

function decide({ command, cwd = '/home/dev/project', files = {} }: Case): Decision {
  return classify({
    command,
    cwd,
    roots: ['/home/dev/project'],
    machine: { home: '/home/dev', read: (file) => files[file] },
  }).decision;
}

const name = ({ command }: Case): string => JSON.stringify(command).slice(0, 100);

describe('the corpora', () => {
  test('are large enough, hold nothing twice, and say what they expect', () => {
    expect(evasions.length).toBeGreaterThanOrEqual(400);
    expect(innocents.length).toBeGreaterThanOrEqual(400);
    const all = [...evasions, ...innocents].map(({ command }) => command);
    expect(all.filter((command, i) => all.indexOf(command) !== i)).toEqual([]);
    expect(evasions.filter(({ expected }) => expected === 'allow')).toEqual([]);
    expect(innocents.filter(({ expected }) => expected !== 'allow')).toEqual([]);
  });

  test('no evasion is allowed', () => {
    expect(evasions.filter((each) => decide(each) === 'allow').map(name)).toEqual([]);
  });

  test('an evasion that must be denied is denied, but for those listed', () => {
    const missed = evasions.filter((each) => each.expected === 'deny' && decide(each) !== 'deny');
    expect(missed.map(({ command }) => command).sort()).toEqual(Object.keys(UNDECIDED).sort());
  });

  test('an evasion that is to be asked about is not denied without need', () => {
    expect(evasions.filter((each) => each.expected === 'ask' && decide(each) !== 'ask').map(name)).toEqual([]);
  });

  test('at most one innocent in fifty is held up, each of them listed', () => {
    const held = innocents.filter((each) => decide(each) !== 'allow');
    expect(held.map(({ command }) => command).sort()).toEqual(Object.keys(HELD_UP).sort());
    expect(held.length / innocents.length).toBeLessThanOrEqual(0.02);
    const denied = evasions.filter((each) => decide(each) === 'deny').length;
    console.log(
      `evasions: ${evasions.length}, denied ${denied}, asked ${evasions.length - denied}, allowed 0; ` +
        `innocents: ${innocents.length}, held up ${held.length}`,
    );
  });

  test.each([
    ['a long word', `rm -rf /${' x'.repeat(5000)}`, 'deny'],
    ['a long text before it', `echo '${'x'.repeat(90_000)}'; rm -rf /`, 'deny'],
    ['more than is looked at', `echo '${'x'.repeat(100_001)}'`, 'ask'],
    ['code within code', `${'eval '.repeat(1000)}rm -rf /`, 'ask'],
    ['substitutions within substitutions', `${'echo $('.repeat(1000)}rm -rf /${')'.repeat(1000)}`, 'ask'],
    ['groups within groups', `${'{ '.repeat(1000)}rm -rf /${'; }'.repeat(1000)}`, 'ask'],
    ['wrappers within wrappers', `${'nice '.repeat(1000)}rm -rf /`, 'ask'],
    ['subshells within subshells', `${'('.repeat(1000)}rm -rf /${')'.repeat(1000)}`, 'ask'],
    ['many commands', `${'ls;'.repeat(6000)}rm -rf /`, 'ask'],
    ['braces that make too many', `rm -rf {1..100}{1..100}{1..100}`, 'ask'],
  ])('%s ends, and is never allowed', (_, command, least) => {
    const decision = decide({ command, expected: 'ask', why: '' });
    expect(least === 'deny' ? ['deny'] : ['ask', 'deny']).toContain(decision);
  });
});
