// The tool as it is listed.
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, it } from 'vitest';
import { fetch } from './index.ts';
import { bench } from './testkit.ts';

it('costs at most 330 tokens', () => {
  const { name, description, inputSchema } = fetch.describe();
  expect(encode(JSON.stringify({ name, description, inputSchema })).length).toBeLessThanOrEqual(330);
});

it('lists its actions in order and explains them', async () => {
  const web = bench();
  const { data } = await web.call('help');
  expect(data.actions.map((each: { name: string }) => each.name)).toEqual([
    'fetch',
    'request',
    'get',
    'post',
    'put',
    'patch',
    'delete',
    'head',
    'download',
    'crawl',
    'search',
    'open',
  ]);
  expect((await web.call('fecth', { url: 'x' })).error.code).toBe('UNKNOWN_ACTION');
  expect((await web.call('fetch')).error).toMatchObject({ code: 'INVALID_PARAMS', param: 'url' });
  web.close();
});
