// The connector `slack`: messages as a bot (contract, tool plane 6.3).
import { below, jsonOf, member } from '../http.ts';
import { text } from '../input.ts';
import { ActionFailed, type Connector } from '../types.ts';

const SECRET = 'bot_token';

export function slack(base: string): Connector {
  return {
    name: 'slack',
    displayName: 'Slack',
    description: 'Messages in Slack channels',
    authType: 'bot_token',
    secrets: [{ name: SECRET, description: 'bot token, xoxb-...' }],
    actions: [
      {
        name: 'send_message',
        displayName: 'Send message',
        description: 'Posts a message to a channel.',
        props: [
          { name: 'channel', type: 'string', required: true, description: 'id or name of the channel' },
          { name: 'text', type: 'string', required: true },
        ],
        async run({ input, request, token }) {
          const channel = text(input, 'channel');
          const answer = jsonOf(
            'slack',
            await request({
              method: 'POST',
              url: below(base, ['chat.postMessage']),
              headers: {
                authorization: `Bearer ${await token(SECRET)}`,
                'content-type': 'application/json; charset=utf-8',
              },
              body: JSON.stringify({ channel, text: text(input, 'text') }),
            }),
          );
          // Slack refuses with status 200
          if (member(answer, 'ok') !== true) {
            throw new ActionFailed(
              `slack refused the message: ${String(member(answer, 'error') ?? 'no reason').slice(0, 200)}`,
            );
          }
          const posted = member(answer, 'channel');
          return { ok: true, channel: typeof posted === 'string' ? posted : channel };
        },
      },
    ],
    triggers: [],
  };
}
