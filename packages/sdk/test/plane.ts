// For tests: a plane of its own on a loopback port, with one connector to call and an administrator's key.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Configuration, IamApi } from 'hanzoai';
import { readConfig } from '../../cloud/src/config.ts';
import { ToolFailed } from '../../cloud/src/core/failed.ts';
import { createLogger } from '../../cloud/src/http/log.ts';
import { createPlane, type PlaneOptions } from '../../cloud/src/plane.ts';

export interface ServedPlane {
  readonly url: string;
  /** of the first start: an operator's */
  readonly operatorKey: string;
  /** of an administrator of the organization `acme` */
  readonly adminKey: string;
  /** of a member of it who is none */
  readonly memberKey: string;
  close(): Promise<void>;
}

type Provider = NonNullable<PlaneOptions['providers']>[number];

/** Answers what it was given; `broken` fails as a tool does. */
const connector: Provider = {
  source: () => 'connector',
  list: async ({ org }) =>
    org === ''
      ? []
      : ['echo', 'broken'].map((name) => ({
          name,
          source: 'connector',
          description: `Says its arguments: ${name}.`,
          inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
          dispatchable: true,
        })),
  async dispatch(_principal, name, args) {
    if (name === 'broken') {
      throw new ToolFailed('The tool failed.', { content: [{ type: 'text', text: 'out of paper' }], isError: true });
    }
    return { said: args };
  },
};

export async function servedPlane(): Promise<ServedPlane> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hanzo-plane-'));
  const { config } = readConfig(['--data', folder, '--port', '0'], {});
  const plane = await createPlane({
    config,
    version: '0.0.0',
    logger: createLogger({ level: 'error' }),
    providers: [connector],
    checkAnswers: true,
  });
  const operatorKey = plane.firstKey ?? '';
  const iam = new IamApi(new Configuration({ accessToken: operatorKey, basePath: plane.url }));
  await iam.postIamOrganizations({ name: 'acme' });
  const keyOf = async (user: string, isAdmin: boolean): Promise<string> => {
    await iam.postIamUsers({ user: { owner: 'acme', name: user, isAdmin } });
    const { data } = await iam.postIamKeys({ owner: 'acme', name: `${user}-key`, user: `acme/${user}` });
    return data.secret;
  };
  const adminKey = await keyOf('ada', true);
  const memberKey = await keyOf('mel', false);
  return {
    url: plane.url,
    operatorKey,
    adminKey,
    memberKey,
    async close() {
      await plane.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
