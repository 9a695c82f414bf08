// Rules of an organisation and of a user: what they change, what they cannot, and what a broken file is told.
import { describe, expect, test } from 'vitest';
import { classify } from './classify.ts';
import { checkExamples, withOwnRules } from './own-rules.ts';
import { type OwnRules, parseOwnRules } from './own/parse.ts';
import { standardRules } from './rules/index.ts';
import type { Decision } from './types.ts';

const project = (value: unknown): OwnRules =>
  parseOwnRules(JSON.stringify(value), { source: '/p/.hanzo/verdict.json', mayLoosen: false });
const user = (value: unknown): OwnRules =>
  parseOwnRules(JSON.stringify(value), { source: '~/.hanzo/verdict.json', mayLoosen: true });
const judge = (command: string, ...own: readonly OwnRules[]): Decision =>
  classify({
    command,
    cwd: '/home/dev/project',
    machine: { home: '/home/dev' },
    rules: withOwnRules(standardRules(), own),
  }).decision;

describe('rows', () => {
  const noTests = project({ rules: [{ match: ['npm', 'test', '**'], decision: 'deny', message: 'tests run in CI' }] });

  test.each<[command: string, expected: Decision]>([
    ['npm test', 'deny'],
    ['npm test -- --watch', 'deny'],
    ['npm --silent test', 'deny'],
    ['sudo env A=b npm test', 'deny'],
    ['/usr/bin/npm test', 'deny'],
    ['./tools/npm test', 'deny'],
    ['npm ci', 'allow'],
    ['echo npm test', 'allow'],
  ])('a stricter row holds wherever the command stands: %s', (command, expected) => {
    expect(judge(command, noTests)).toBe(expected);
  });

  test('the reason is the message of the row', () => {
    const { reasons } = classify({ command: 'npm test', cwd: '/p', rules: withOwnRules(standardRules(), [noTests]) });
    expect(reasons[0]).toMatchObject({ rule: 'own-rule', message: 'tests run in CI', command: 'npm test' });
  });

  test('a row is no milder than the rules', () => {
    const asks = project({ rules: [{ match: ['rm', '**'], decision: 'ask' }] });
    expect(judge('rm -rf /', asks)).toBe('deny');
    expect(judge('rm build/x', asks)).toBe('ask');
  });

  const pushes = user({ rules: [{ match: ['git', 'push', '**'], decision: 'allow', loosen: true }] });

  test("the user's own file may make rules milder, for just that command", () => {
    expect(judge('git push')).toBe('ask');
    expect(judge('git push origin main', pushes)).toBe('allow');
    expect(judge('git push && rm -rf ~', pushes)).toBe('deny');
    expect(judge('git push > ~/.bashrc', pushes)).toBe('ask');
    expect(judge('LD_PRELOAD=x.so git push', pushes)).toBe('ask');
    expect(judge('git push $(rm -rf ~)', pushes)).toBe('deny');
    expect(judge('./git push', pushes)).toBe('ask');
  });

  test("a project's stricter row stands against the user's milder one", () => {
    expect(judge('git push', pushes, project({ rules: [{ match: ['git', 'push'], decision: 'deny' }] }))).toBe('deny');
  });
});

describe('programs', () => {
  const acme = {
    names: ['acme'],
    options: { '-v, --verbose': 'flag', '-o, --output': 'write' },
    operands: 'none',
    sub: { status: { operands: 'data' }, deploy: { decision: 'ask', why: 'changes the running system' } },
  };

  test("the user's own file makes a program known", () => {
    const own = user({ programs: [{ ...acme, loosen: true, examples: { 'acme status': 'allow' } }] });
    expect(judge('acme status', own)).toBe('allow');
    expect(judge('acme deploy', own)).toBe('ask');
    expect(judge('acme remove', own)).toBe('ask');
    expect(() => checkExamples(standardRules(), [own])).not.toThrow();
  });

  test('elsewhere a program is judged besides what the rules say', () => {
    expect(judge('acme status', project({ programs: [acme] }))).toBe('ask');
    const strict = {
      names: ['ls'],
      otherOptions: 'harmless',
      operands: 'data',
      decision: 'deny',
      why: 'is not used here',
    };
    expect(judge('ls', project({ programs: [strict] }))).toBe('deny');
    const mild = { names: ['rm'], otherOptions: 'harmless', operands: 'data' };
    expect(judge('rm -rf /', project({ programs: [mild] }))).toBe('deny');
  });

  test('an example that does not hold is an error', () => {
    const own = user({ programs: [{ ...acme, loosen: true, examples: { 'acme deploy': 'allow' } }] });
    expect(() => checkExamples(standardRules(), [own])).toThrow(
      '~/.hanzo/verdict.json: the example "acme deploy" of acme gets ask, not allow (acme deploy changes the running system)',
    );
  });
});

describe('a broken file is told where and what would be right', () => {
  const told = (text: string, mayLoosen = false): string => {
    try {
      parseOwnRules(text, { source: 'v.json', mayLoosen });
    } catch (error) {
      return (error as Error).message;
    }
    return 'fine';
  };

  test.each([
    ['{}', 'fine'],
    ['{"rules": []}', 'fine'],
    ['[]', 'v.json:1: is an object: {"rules": [...], "programs": [...]}'],
    ['{\n"rulez": []}', 'v.json:2: rulez is not known here; there are: rules, programs'],
    ['{"rules": {}}', 'v.json:1: rules is a list, not {}'],
    [
      '{"rules": [\n  {"match": ["x"], "decision": "ask"},\n  {"match": ["y"],\n   "decision": "maybe"}\n]}',
      'v.json:4: rules.1.decision is "allow", "ask" or "deny", not "maybe"',
    ],
    ['{"rules": [{"match": ["y"]}]}', 'rules.0.decision is "allow", "ask" or "deny", not left out'],
    ['{"rules": [{"match": [], "decision": "ask"}]}', 'is a list of words, such as ["npm", "publish", "**"]'],
    ['{"rules": [{"match": ["**"], "decision": "ask"}]}', 'the first word is the name of a program'],
    ['{"rules": [{"match": ["a", "**", "b"], "decision": "ask"}]}', '"**" stands for the rest of the words'],
    ['{"rules": [{"match": ["/bin/a"], "decision": "ask"}]}', 'without its folder: "a"'],
    ['{"rules": [{"match": ["a"], "decision": "allow"}]}', 'this file can only make the rules stricter'],
    ['{"rules": [{"match": ["a"], "decision": "ask", "loosen": true}]}', 'only the file of the user'],
    ['{"programs": [{"names": ["a"], "options": {"-x": "wirte"}}]}', 'programs.0.options.-x is "flag", data, read'],
    ['{"programs": [{"names": ["a"], "special": "shell"}]}', 'programs.0.special is not known here'],
  ])('%s', (text, message) => {
    expect(told(text)).toContain(message);
  });

  test('what is no JSON is told by its line', () => {
    expect(told('{\n  "rules": [\n    {]\n}')).toMatch(/^v\.json:3: is not JSON: /);
    expect(told('{\n  "rules": [')).toMatch(/^v\.json:2: is not JSON: /);
  });

  test("the user's own file is told how a row allows", () => {
    expect(told('{"rules": [{"match": ["a"], "decision": "allow"}]}', true)).toContain('with "loosen": true');
  });
});
