// What a server may ask of its client and tell it on the way: the fixture host, with the official SDK's clients of both
// generations over both transports. The suite looks at HTTP only; here stdio has to come to the same.
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Peer, PEERS, type Target } from './peers.ts';
import { type Running, startProgram } from './program.ts';

let server: Running;
let target: Target;
beforeAll(async () => {
  server = await startProgram(['--conformance']);
  target = { args: ['--conformance'], cwd: tmpdir(), home: server.home, url: server.url };
});
afterAll(() => server?.close());

describe.each(PEERS)('$name', ({ revision, connect }) => {
  let peer: Peer;
  beforeAll(async () => {
    peer = await connect(target);
  });
  afterAll(() => peer?.close());

  test(`speaks ${revision}`, () => {
    expect(peer.revision).toBe(revision);
  });

  test.each([
    ['the model', 'test_sampling', { prompt: 'Where?' }, 'LLM response: Paris'],
    ['the person', 'test_input_required_result_elicitation', {}, 'Hello, my name!'],
    ['the roots', 'test_input_required_result_list_roots', {}, 'Roots: Test Root (file:///test/root)'],
    [
      'all three at once',
      'test_input_required_result_multiple_inputs',
      {},
      'Paris my name, working in Test Root (file:///test/root)',
    ],
    ['the person, twice', 'test_input_required_result_multi_round', {}, 'my name likes my color.'],
  ])('a tool asks %s and goes on with the answer', async (_whom, tool, args, expected) => {
    expect(await peer.call(tool, args)).toEqual({ isError: false, texts: [expected] });
  });

  test('a prompt asks the person and goes on with the answer', async () => {
    expect(await peer.prompt('test_input_required_result_prompt')).toEqual(['Use: my context']);
  });

  test('progress arrives in order and before the result', async () => {
    const before = peer.wire.length;
    await peer.call('test_tool_with_progress', {}, { progress: true });
    const came = peer.wire.slice(before).map(({ method, params, result }) => {
      return result === undefined ? [method, params?.['progress']] : 'result';
    });
    const progress = [0, 50, 100].map((each) => ['notifications/progress', each]);
    expect(came).toEqual([...progress, 'result']);
  });

  test('log messages and changed lists reach a client that asked for them', async () => {
    await peer.listen();
    await peer.call('test_tool_with_logging');
    await peer.call('test_trigger_tool_change');
    await peer.call('test_trigger_prompt_change');
    await vi.waitFor(
      () => {
        const expected = [
          'Tool execution started',
          'Tool processing data',
          'Tool execution completed',
          'tools',
          'prompts',
        ];
        expect(peer.heard).toEqual(expected);
      },
      { timeout: 20_000, interval: 20 },
    );
  });

  test('resources, templates and completions answer; an unknown resource does not', async () => {
    expect(await peer.read('test://static-text')).toBe('This is the content of the static text resource.');
    expect(await peer.read('test://template/7/data')).toContain('"id":"7"');
    expect(await peer.complete('test_prompt_with_arguments', 'arg1', 'test')).toEqual(['testValue1', 'testing']);
    const code = revision === '2026-07-28' ? -32602 : -32002;
    await expect(peer.read('test://nothing')).rejects.toMatchObject({ code });
  });
});
