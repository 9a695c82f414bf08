// The connector `x`: who follows whom (contract, tool plane 6.3).
import { below, jsonOf, member } from '../http.ts';
import { text } from '../input.ts';
import type { Connector } from '../types.ts';

const SECRET = 'access_token';
/** Pages of 1000 accounts; with the first alone, who follows more is said not to follow (contract 10, point 43). */
const MOST_PAGES = 5;

export function x(base: string): Connector {
  return {
    name: 'x',
    displayName: 'X',
    description: 'Follows on X',
    authType: 'oauth2',
    secrets: [{ name: SECRET, description: 'OAuth access token with follows.read' }],
    actions: [
      {
        name: 'verify_follow',
        displayName: 'Verify follow',
        description: 'Says whether a user follows an account, by the first 5000 that they follow.',
        props: [
          { name: 'targetUser', type: 'string', required: true, description: 'id or name of the followed account' },
          { name: 'userId', type: 'string', required: true, description: 'id of the follower' },
        ],
        async run({ input, request, token }) {
          const user = text(input, 'userId');
          const target = text(input, 'targetUser').replace(/^@/, '').toLowerCase();
          const headers = { authorization: `Bearer ${await token(SECRET)}` };
          const answer = { platform: 'x', source: 'x_follow', dedupKey: `x:${target}:${user}` };
          let page: string | undefined;
          for (let n = 0; n < MOST_PAGES; n++) {
            const url = below(base, ['2', 'users', user, 'following'], {
              max_results: '1000',
              pagination_token: page,
            });
            const listed = jsonOf('x', await request({ url, headers }));
            const data = member(listed, 'data');
            if (Array.isArray(data) && data.some((each) => isAccount(each, target))) {
              return { verified: true, ...answer, complete: true };
            }
            const next = member(member(listed, 'meta'), 'next_token');
            if (typeof next !== 'string' || next === '' || next === page) {
              return { verified: false, ...answer, complete: true };
            }
            page = next;
          }
          return { verified: false, ...answer, complete: false };
        },
      },
    ],
    triggers: [],
  };
}

function isAccount(account: unknown, target: string): boolean {
  return ['id', 'username'].some((name) => {
    const value = member(account, name);
    return typeof value === 'string' && value.toLowerCase() === target;
  });
}
