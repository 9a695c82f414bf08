// The rules by which operations are named, offered and withheld, and the files written from them.
import { readFileSync } from 'node:fs';
import { lintFromString, createConfig } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { composedInMemory } from '../testing/composed.ts';
import { generatedFiles } from '../testing/reference.ts';
import { phrasesOf, surfaceOf } from './names.ts';
import { op } from './op.ts';
import { openApi } from './openapi.ts';
import { flatInput } from './schema.ts';
import { isWithheld } from './withheld.ts';

const route = (line: string) => {
  const [id = '', method = '', path = ''] = line.split(' ');
  return op({
    id,
    app: 'tool',
    method: method as 'GET',
    path,
    summary: 'One.',
    auth: 'member',
    input: {},
    answer: z.unknown(),
    run: async () => undefined,
  });
};

test('published names are the contract’s verb phrases; a phrase two would share is neither’s', () => {
  const expected: Readonly<Record<string, string>> = {
    'get_tool GET /v1/tool': 'list_tools',
    'post_tool_call POST /v1/tool/call': 'create_tool_call',
    'get_tool_activation GET /v1/tool/activation': 'get_tool_activation',
    'put_tool_activation PUT /v1/tool/activation': 'set_tool_activation',
    'get_tool_mcp_servers GET /v1/tool/mcp/servers': 'list_tool_mcp_servers',
    'post_tool_mcp_servers POST /v1/tool/mcp/servers': 'create_tool_mcp_server',
    'delete_tool_mcp_servers_by_id DELETE /v1/tool/mcp/servers/{id}': 'delete_tool_mcp_server',
    'get_tool_catalog GET /v1/tool/catalog': 'get_tool_catalog',
    'get_tool_catalog_by_id GET /v1/tool/catalog/{id}': 'get_tool_catalog_by_id',
    'get_tool_skills GET /v1/tool/skills': 'list_tool_skills',
    'get_tool_skills_authored GET /v1/tool/skills/authored': 'get_tool_skill_authored',
    'post_tool_skills POST /v1/tool/skills': 'create_tool_skill',
    'delete_tool_skills_by_id DELETE /v1/tool/skills/{id}': 'delete_tool_skill',
    'get_tool_plugins GET /v1/tool/plugins': 'list_tool_plugins',
    'get_tool_plugins_authored GET /v1/tool/plugins/authored': 'get_tool_plugin_authored',
    'post_tool_plugins_build POST /v1/tool/plugins/build': 'create_tool_plugin_build',
    'delete_tool_plugins_authored_by_id DELETE /v1/tool/plugins/authored/{id}': 'delete_tool_plugin_authored',
    'get_tool_kit GET /v1/tool/kit': 'get_tool_kit',
    'put_tool_kit PUT /v1/tool/kit': 'set_tool_kit',
    'post_sync_by_id_run POST /v1/sync/{id}/run': 'run_sync',
  };
  const phrases = phrasesOf(Object.keys(expected).map(route));
  expect(Object.fromEntries(phrases)).toEqual(
    Object.fromEntries(Object.entries(expected).map(([line, name]) => [line.split(' ')[0], name])),
  );
});

test('what discloses a bearer secret or changes identity or authority is withheld', () => {
  const withheld =
    'post_iam_users post_iam_oauth_token get_o11y_users_by_id_reset_password_tokens getSession CreateServiceAccountKey delete_git_keys_by_id post_agents_targets_by_id_key get_connectors_by_id_token CreateAuthDomain post_iam_api_keys create_kms_api_key';
  const kept =
    'get_iam_users GetRole post_messages_count_tokens get_validator_by_tokenid post_agents_sessions_by_id_message put_kv_by_bucket_by_key patch_todo_projects_by_key_issues_by_num CreateAccount post_domain_register CreateLLMScore get_tool_kit';
  expect(withheld.split(' ').filter((name) => !isWithheld(name))).toEqual([]);
  expect(kept.split(' ').filter(isWithheld)).toEqual([]);
  expect(isWithheld('')).toBe(true);
});

test('operators’ operations and those that need no credential are not offered; each has one input of flat members', async () => {
  const { ops, close } = await composedInMemory();
  const surface = surfaceOf(ops);
  for (const each of ['post_tool_catalog_sync', 'get_tool_catalog', 'get_kms_secrets_by_name', 'post_iam_keys']) {
    expect([each, surface.find(each)]).toEqual([each, undefined]);
  }
  expect(surface.find('list_tools')).toBe(surface.find('get_tool'));
  expect(new Set(ops.map(({ id }) => id)).size).toBe(ops.length);
  for (const each of ops) {
    expect(each.path).toMatch(new RegExp(`^/v1/${each.app}(?:/|$)`));
    expect(JSON.stringify(flatInput(each))).not.toContain('$ref');
  }
  await close();
});

test('the OpenAPI document passes the linter and has the same bytes every time', async () => {
  const { ops, apps, close } = await composedInMemory();
  const options = { title: 'hanzo-cloud', version: '1.0.0', apps };
  const text = openApi(ops, options);
  expect(openApi(ops.toReversed(), options) === text).toBe(true);
  const document = JSON.parse(text) as { paths: Record<string, Record<string, Record<string, unknown>>> };
  const operations = Object.values(document.paths).flatMap((each) => Object.values(each));
  expect(operations).toHaveLength(ops.length);
  for (const { operationId, tags, security, responses } of operations) {
    expect([operationId, tags, security]).not.toContain(undefined);
    expect(responses).toHaveProperty('default');
  }
  const config = await createConfig({
    extends: ['recommended'],
    rules: { 'no-server-example.com': 'off', 'operation-4xx-response': 'error' },
  });
  const problems = await lintFromString({ source: text, config });
  expect(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`),
  ).toEqual([]);
  await close();
});

test('what is written from the operations is not stale: node --conditions=hanzo-source scripts/reference.ts', async () => {
  const { apps, close } = await composedInMemory();
  for (const [name, text] of generatedFiles(apps)) {
    expect([name, readFileSync(new URL(`../../../../${name}`, import.meta.url), 'utf8')]).toEqual([name, text]);
  }
  await close();
});
