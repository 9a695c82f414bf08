// Runs the edit corpus (packages/mcp/corpus/edit) against the fs tool: every answer, every byte, nothing left behind.
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { CallContext, CallResult } from '@hanzo/tool';
import { layOut, loadCorpus, outcomes, sha256, spell } from '../../../corpus/load.ts';
import type { Call, Case, Expectation, Outcome, Spelling, Stage } from '../../../corpus/load.ts';
import { defaultConfig } from '../../config.ts';
import { createAccess } from '../../lib/access.ts';
import type { Local } from '../../local.ts';
import { toPath } from '../../lib/path.ts';
import { fs } from './index.ts';

type Json = Record<string, unknown>;
type Answer = { ok: boolean; data: Json | null; error: Json | null; rest: string };

const groups = loadCorpus();

test('the corpus keeps its own rules', () => {
  const cases = groups.flatMap((group) => group.cases);
  expect(cases.length).toBeGreaterThanOrEqual(240);
  expect(cases.filter((each) => each.why.length < 8)).toEqual([]);
  expect(cases.filter((each) => (each.outcomes === undefined) === (each.expect === undefined))).toEqual([]);
  const plain = cases.filter((each) => each.tags?.includes('plain-replace'));
  expect(plain.filter((each) => each.calls.length !== 1 || each.files.length !== 1)).toEqual([]);
  for (const group of groups) expect(new Set(group.cases.map((each) => each.name)).size).toBe(group.cases.length);
});

for (const group of groups) {
  // Side by side, because most of the time goes into waiting for the disk.
  describe.concurrent(group.name, () => {
    test.each(group.cases.map((each) => [each.name, each] as const))('%s', async (_name, each) => {
      const stage = await layOut(each);
      try {
        const answers = await play(each, stage);
        const tried = await Promise.all(outcomes(each).map((outcome) => faults(outcome, answers, stage)));
        const shown = tried.map((list) => list.join('\n')).join('\n-- or --\n');
        if (tried.every((list) => list.length > 0)) expect.fail(`${each.why}\n${shown}`);
      } finally {
        await stage.remove();
      }
    });
  });
}

/** What is wrong with the answers and the files, measured by one permitted outcome. */
async function faults(outcome: Outcome, answers: readonly Answer[], on: Stage): Promise<string[]> {
  const found = await on.differences(outcome.after);
  if (answers.length !== outcome.expect.length) found.push(`${answers.length} answers`);
  for (const [i, wanted] of outcome.expect.entries()) {
    const answer = answers[i];
    if (answer) found.push(...(await judge(wanted, answer, on)));
  }
  return found;
}

/** Makes the calls of a case in order; one answer for each call of the tool. */
async function play(each: Case, on: Stage): Promise<Answer[]> {
  const config = defaultConfig({ cwd: on.dir, access: each.access ?? 'workspace-write' });
  const access = createAccess({ level: config.access, cwd: on.dir, roots: [], allowSecrets: [] });
  // The fs tool uses the config and the access policy, never processes or the surface.
  const env = { config, access } as unknown as Local;
  const answers: Answer[] = [];
  const one = async (call: Call): Promise<Answer> => {
    const args = await prepare(call, on, answers);
    return read(await fs.call(args, { context: context(), env, maxOutput: config.maxOutput }));
  };
  for (const step of each.calls) {
    if ('outside' in step) {
      const { path: name, bytes } = step.outside as { path: string; bytes: Spelling | null };
      await on.change(name, bytes);
    } else if ('parallel' in step) {
      answers.push(...(await Promise.all((step.parallel as Call[]).map(one))));
    } else {
      const answer = await one(step);
      await checkHash(step, answer, on);
      answers.push(answer);
    }
  }
  return answers;
}

function context(): CallContext {
  return {
    signal: new AbortController().signal,
    progress: () => {},
    log: () => {},
    clientCapabilities: {},
    ask: () => Promise.reject(new Error('nobody is there to ask')),
  };
}

async function prepare(call: Call, on: Stage, answers: readonly Answer[]): Promise<Json> {
  const entries = await Promise.all(
    Object.entries(call).map(async ([key, value]): Promise<[string, unknown]> => {
      const plain = typeof value === 'object' && value !== null ? spell(value as Spelling).toString('utf8') : value;
      if (typeof plain !== 'string') return [key, plain];
      if (key === 'base_hash') return [key, await baseHash(plain, on, answers)];
      return [key, ['uri', 'path', 'destination', 'input'].includes(key) ? on.fill(plain) : plain];
    }),
  );
  return Object.fromEntries(entries);
}

async function baseHash(value: string, on: Stage, answers: readonly Answer[]): Promise<string> {
  const [kind, ...rest] = value.split(':');
  const name = rest.join(':');
  if (kind === 'current') return sha256(await readFile(on.place(name)));
  if (kind === 'initial') return on.initialHash(name);
  if (kind === 'result') return String(answers[Number(name)]?.data?.['hash']);
  return sha256('stale');
}

/** The envelope, after checking what every answer must be. */
function read(result: CallResult): Answer {
  const texts = result.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const envelope = JSON.parse(texts[0] ?? '') as Answer;
  expect(result.isError).toBe(!envelope.ok);
  expect(Buffer.byteLength(texts.join(''))).toBeLessThanOrEqual(48 * 1024);
  if (!envelope.ok) expect(envelope.error?.['message']).toMatch(/.{10}/);
  return { ...envelope, rest: texts.slice(1).join('\n') };
}

async function checkHash(call: Call, answer: Answer, on: Stage): Promise<void> {
  if (!answer.ok || !['apply_patch', 'write'].includes(call.action)) return;
  const file = toPath(on.fill(String(call['uri'] ?? call['path'])), on.dir);
  expect(answer.data?.['hash'], 'the answered hash is that of the file').toBe(sha256(await readFile(file)));
}

async function judge(wanted: Expectation, answer: Answer, on: Stage): Promise<string[]> {
  const found: string[] = [];
  const shown = JSON.stringify(answer).slice(0, 1500);
  if (answer.ok !== wanted.ok) return [`ok should be ${wanted.ok}: ${shown}`];
  const codes = [wanted.code ?? []].flat();
  const code = String(answer.error?.['code']);
  if (codes.length > 0 && !codes.includes(code)) found.push(`the code should be ${codes.join(' or ')}: ${shown}`);
  const strategy = answer.data?.['strategy'] ?? 'exact';
  if (wanted.strategy && (wanted.strategy === 'exact') !== (strategy === 'exact')) {
    found.push(`the strategy should be ${wanted.strategy}: ${shown}`);
  }
  if (wanted.changed !== undefined && wanted.changed !== (answer.data?.['changed'] === true)) {
    found.push(`changed should be ${wanted.changed}: ${shown}`);
  }
  const said = [answer.error?.['message'], JSON.stringify(answer.error ?? answer.data), answer.rest].join('\n');
  for (const part of wanted.message_includes ?? []) if (!said.includes(part)) found.push(`no '${part}' in: ${shown}`);
  if (wanted.message_matches && !new RegExp(wanted.message_matches).test(said)) {
    found.push(`no /${wanted.message_matches}/ in: ${shown}`);
  }
  for (const [where, part] of [
    ['data', wanted.data],
    ['error', wanted.error],
  ] as const) {
    for (const [key, value] of Object.entries(part ?? {})) {
      if (!(await same(value, answer[where]?.[key], on))) found.push(`${where}.${key} is wrong: ${shown}`);
    }
  }
  return found;
}

/** Plain values are equal; `{$hash: path}` is the file's hash now, `{$initial: path}` as laid out, `{$matches: regex}`. */
async function same(wanted: unknown, actual: unknown, on: Stage): Promise<boolean> {
  if (typeof wanted !== 'object' || wanted === null) return wanted === actual;
  const [[rule, value] = ['', '']] = Object.entries(wanted);
  if (rule === '$hash') return actual === sha256(await readFile(on.place(String(value))));
  if (rule === '$initial') return actual === on.initialHash(String(value));
  return rule === '$matches' && new RegExp(String(value)).test(String(actual));
}
