// What outlives one request of 2026-07-28: state the client keeps for the server, logs it asked for, and changes it listens to.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Running, startProgram } from './program.ts';
import { type Answer, ask, listen, META } from './raw.ts';

let server: Running;
beforeAll(async () => {
  server = await startProgram(['--conformance']);
});
afterAll(() => server?.close());

const call = (name: string, params: object = {}): Promise<Answer> => ask(server.url, 'tools/call', { name, ...params });
const accept = (content: object): object => ({ action: 'accept', content });
const stateOf = ({ body }: Answer): string => String(body?.result?.['requestState']);
const textOf = ({ body }: Answer): unknown => (body?.result?.['content'] as { text: string }[] | undefined)?.[0]?.text;

describe('requestState', () => {
  const TOOL = 'test_input_required_result_request_state';
  const answers = { inputResponses: { confirm: accept({ ok: true }) } };

  test('comes back with the answers and the call goes on', async () => {
    const requestState = stateOf(await call(TOOL, { arguments: { a: 1, b: 2 } }));
    expect(textOf(await call(TOOL, { arguments: { b: 2, a: 1 }, ...answers, requestState }))).toBe('state-ok (true)');
  });

  test.each<[string, string, (state: string) => { name?: string; arguments?: object; requestState: unknown }]>([
    ['with something appended', TOOL, (state) => ({ requestState: `${state}-TAMPERED` })],
    ['with one letter changed', TOOL, (state) => ({ requestState: (state[0] === 'e' ? 'f' : 'e') + state.slice(1) })],
    ['cut short', TOOL, (state) => ({ requestState: state.slice(0, -1) })],
    ['without its signature', TOOL, (state) => ({ requestState: state.slice(0, state.lastIndexOf('.') + 1) })],
    ['that is empty', TOOL, () => ({ requestState: '' })],
    ['that is no text', TOOL, (state) => ({ requestState: { state } })],
    ['of other arguments', TOOL, (state) => ({ requestState: state, arguments: { a: 1 } })],
    ['of another tool', 'test_input_required_result_tampered_state', (state) => ({ requestState: state })],
  ])('a state %s is refused as an error, not answered or asked again', async (_what, tool, change) => {
    const answer = await call(tool, { ...answers, ...change(stateOf(await call(TOOL))) });
    expect(answer).toMatchObject({ status: 200, body: { error: { code: -32602 } } });
    expect(answer.body).not.toHaveProperty('result');
  });

  test('does not cross from a tool to a prompt', async () => {
    const requestState = stateOf(await call(TOOL));
    const params = { name: 'test_input_required_result_prompt', requestState };
    expect(await ask(server.url, 'prompts/get', params)).toMatchObject({ body: { error: { code: -32602 } } });
  });

  test('two calls at once keep their answers apart', async () => {
    const tool = 'test_input_required_result_multi_round';
    const begun = await Promise.all(['Ada', 'Bob', 'Cyd'].map(async (name) => ({ name, first: await call(tool) })));
    const going = await Promise.all(
      begun.map(async ({ name, first }) => {
        const inputResponses = { step1: accept({ name }) };
        return { name, second: await call(tool, { inputResponses, requestState: stateOf(first) }) };
      }),
    );
    const inputResponses = { step2: accept({ color: 'blue' }) };
    const done = going.map(({ second }) => call(tool, { inputResponses, requestState: stateOf(second) }));
    expect((await Promise.all(done)).map(textOf)).toEqual(['Ada likes blue.', 'Bob likes blue.', 'Cyd likes blue.']);
  });
});

describe('answers', () => {
  const TOOL = 'test_input_required_result_elicitation';
  const asked = { status: 200, body: { result: { resultType: 'input_required' } } };

  test.each<[string, unknown]>([
    ['of another question', { other: accept({ name: 'Ada' }) }],
    ['that are no objects', { user_name: 12345 }],
    ['without an action', { user_name: { content: { name: 'Ada' } } }],
    ['of the wrong type inside', { user_name: accept({ name: 7 }) }],
    ['that are null', null],
  ])('%s lead to the question again', async (_what, inputResponses) => {
    expect(await call(TOOL, { inputResponses })).toMatchObject(asked);
  });

  test('a question names what it needs and carries no cache hints', async () => {
    const { result } = (await call(TOOL)).body ?? {};
    expect(result?.['inputRequests']).toMatchObject({ user_name: { method: 'elicitation/create' } });
    expect(result).not.toHaveProperty('ttlMs');
    expect(JSON.stringify(result?.['inputRequests'])).not.toContain('jsonrpc');
  });

  test('unknown answers beside the right one do not matter, and a refusal is an answer', async () => {
    const inputResponses = { user_name: accept({ name: 'Ada' }), more: accept({ a: 1 }) };
    expect(textOf(await call(TOOL, { inputResponses }))).toBe('Hello, Ada!');
    expect(textOf(await call(TOOL, { inputResponses: { user_name: { action: 'decline' } } }))).toBe('Hello, stranger!');
  });

  test('a tool may ask only what the client can do', async () => {
    const params = { name: 'test_input_required_result_capabilities' };
    const { body } = await ask(server.url, 'tools/call', params, { capabilities: { roots: {} } });
    expect(Object.keys(body?.result?.['inputRequests'] ?? {})).toEqual(['client_roots']);
  });
});

const logged = async (level?: string): Promise<unknown[]> => {
  const meta = level === undefined ? {} : { [META.logLevel]: level };
  const { messages } = await ask(server.url, 'tools/call', { name: 'test_logging_tool' }, { meta });
  return messages.filter(({ method }) => method === 'notifications/message').map(({ params }) => params);
};

describe('logs', () => {
  test('come at the level a request asks for, and not at all where it asks for none', async () => {
    expect(await logged()).toEqual([]);
    expect(await logged('warning')).toEqual([{ level: 'error', data: 'This is an error message' }]);
    expect(await logged('debug')).toHaveLength(2);
  });
});

describe('subscriptions/listen', () => {
  test.each(['text', 7])('every message carries the id of its request, %j', async (id) => {
    const stream = await listen(server.url, { toolsListChanged: true }, id);
    const mark = { _meta: { [META.subscriptionId]: id } };
    const notifications = { toolsListChanged: true };
    expect(await stream.next()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { ...mark, notifications },
    });
    await call('test_trigger_tool_change');
    expect(await stream.next()).toEqual({ jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: mark });
    stream.close();
  });

  test('a stream carries only what it asked for', async () => {
    const stream = await listen(server.url, { promptsListChanged: true });
    await stream.next();
    await call('test_trigger_tool_change');
    await call('test_trigger_prompt_change');
    expect(await stream.next()).toMatchObject({ method: 'notifications/prompts/list_changed' });
    stream.close();
  });

  test('what was asked for is acknowledged as far as the server has it', async () => {
    const stream = await listen(server.url, { resourceSubscriptions: ['test://watched-resource'], tasks: true });
    expect(await stream.next()).toMatchObject({
      params: { notifications: { resourceSubscriptions: ['test://watched-resource'] } },
    });
    stream.close();
  });

  test('a filter that is none is refused', async () => {
    for (const notifications of [undefined, [], { toolsListChanged: 'yes' }, { resourceSubscriptions: 'all' }]) {
      expect(await ask(server.url, 'subscriptions/listen', { notifications })).toMatchObject({
        body: { error: { code: -32602 } },
      });
    }
  });

  test('a closing server ends its streams with a result', async () => {
    const own = await startProgram(['--conformance']);
    try {
      const stream = await listen(own.url, { toolsListChanged: true }, 'last');
      await stream.next();
      await own.close();
      const closing = { resultType: 'complete', _meta: { [META.subscriptionId]: 'last' } };
      expect(await stream.next()).toMatchObject({ id: 'last', result: closing });
    } finally {
      await own.close();
    }
  });
});
