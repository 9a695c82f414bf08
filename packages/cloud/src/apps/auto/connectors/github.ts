// The connector `github`: issues and repositories of an installation (contract, tool plane 6.3).
import { below, jsonOf } from '../http.ts';
import { text } from '../input.ts';
import type { Connector, RunContext } from '../types.ts';

const SECRET = 'installation_token';

export function github(base: string): Connector {
  const headers = async ({ token }: RunContext): Promise<Record<string, string>> => ({
    authorization: `Bearer ${await token(SECRET)}`,
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  });
  return {
    name: 'github',
    displayName: 'GitHub',
    description: 'Issues and repositories on GitHub',
    authType: 'oauth2',
    secrets: [{ name: SECRET, description: 'token of the installed GitHub App' }],
    actions: [
      {
        name: 'create_issue',
        displayName: 'Create issue',
        description: 'Opens an issue and answers it as GitHub does.',
        props: [
          { name: 'owner', type: 'string', required: true, description: 'user or organization' },
          { name: 'repo', type: 'string', required: true, description: 'repository' },
          { name: 'title', type: 'string', required: true },
          { name: 'body', type: 'string', description: 'Markdown' },
        ],
        async run(context) {
          const { input, request } = context;
          const body = text(input, 'body');
          return jsonOf(
            'github',
            await request({
              method: 'POST',
              url: below(base, ['repos', text(input, 'owner'), text(input, 'repo'), 'issues']),
              headers: { ...(await headers(context)), 'content-type': 'application/json' },
              body: JSON.stringify({ title: text(input, 'title'), ...(body === '' ? {} : { body }) }),
            }),
          );
        },
      },
      {
        name: 'list_repos',
        displayName: 'List repositories',
        description: 'Answers the repositories the installation reaches, as GitHub does; the first 100.',
        props: [],
        async run(context) {
          const url = below(base, ['installation', 'repositories'], { per_page: '100' });
          return jsonOf('github', await context.request({ url, headers: await headers(context) }));
        },
      },
    ],
    triggers: [],
  };
}
