// The connector `discord`: who is a member of a server (contract, tool plane 6.3).
import { below, refused } from '../http.ts';
import { text } from '../input.ts';
import type { Connector } from '../types.ts';

const SECRET = 'bot_token';
const LARGEST = 1_048_576;

export function discord(base: string): Connector {
  return {
    name: 'discord',
    displayName: 'Discord',
    description: 'Membership in Discord servers',
    authType: 'bot_token',
    secrets: [{ name: SECRET, description: 'token of a bot that is in the server' }],
    actions: [
      {
        name: 'verify_member',
        displayName: 'Verify member',
        description: 'Says whether a user is in a server.',
        props: [
          { name: 'guildId', type: 'string', required: true, description: 'id of the server' },
          { name: 'userId', type: 'string', required: true, description: 'id of the user' },
        ],
        async run({ input, request, token }) {
          const [guild, user] = [text(input, 'guildId'), text(input, 'userId')];
          const answer = await request({
            url: below(base, ['guilds', guild, 'members', user]),
            headers: { authorization: `Bot ${await token(SECRET)}` },
            maxBytes: LARGEST,
          });
          const found = answer.status >= 200 && answer.status <= 299;
          if (!found && answer.status !== 404) throw refused('discord', answer.status, answer.text);
          return {
            verified: found,
            platform: 'discord',
            source: 'discord_member',
            dedupKey: `discord:${guild}:${user}`,
          };
        },
      },
    ],
    triggers: [],
  };
}
