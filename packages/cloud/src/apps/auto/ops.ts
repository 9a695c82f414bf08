// Operations on connectors and connections (contract, tool plane 6.2, 6.9). None of them ever shows a credential.
import { z } from 'zod';
import type { Identity } from '../../core/identity.ts';
import { op, type Op, type OpContext } from '../../core/op.ts';
import { Problem } from '../../core/problem.ts';
import type { Audit } from '../../ports/audit.ts';
import { Definition } from './own.ts';
import type { AutoService } from './service.ts';
import type { Connector } from './types.ts';

const app = 'auto';

const Prop = z.object({
  name: z.string(),
  displayName: z.string(),
  type: z.string(),
  required: z.boolean(),
  description: z.string(),
});
const Entry = z
  .object({
    name: z.string(),
    displayName: z.string(),
    description: z.string(),
    logoUrl: z.string(),
    version: z.string(),
    categories: z.array(z.string()),
    auth: z.object({
      type: z.string(),
      required: z.boolean(),
      secrets: z.array(z.object({ name: z.string(), description: z.string() })),
    }),
    own: z.boolean().describe('registered by the organization itself'),
    actions: z.array(
      z.object({
        name: z.string(),
        displayName: z.string(),
        description: z.string(),
        tool: z.string().describe('its name as a tool'),
        props: z.array(Prop),
      }),
    ),
    triggers: z.array(
      z.object({
        name: z.string(),
        displayName: z.string(),
        description: z.string(),
        strategy: z.string(),
        props: z.array(Prop),
      }),
    ),
  })
  .meta({ id: 'auto.Connector' });
const Connection = z
  .object({ connector: z.string(), secrets: z.array(z.string()).describe('names of what is sealed') })
  .meta({ id: 'auto.Connection' });
const ConnectorId = z.object({ id: z.string().max(128).describe('name of the connector') });

function caller({ identity }: OpContext): Identity {
  if (identity === undefined) throw new Problem(401, 'A credential is needed.');
  return identity;
}

export function autoOps(service: AutoService, audit: Audit, version: string): readonly Op[] {
  const record = (context: OpContext, action: string, id: string, result: string, status = 200): Promise<void> =>
    audit.append(context, { action, resource: { type: 'automations', id }, outcome: { result, status } });

  async function known(org: string, id: string): Promise<Connector> {
    const found = (await service.connectors(org)).get(id);
    if (found === undefined) throw new Problem(404, `There is no connector '${id}'.`);
    return found;
  }

  return [
    op({
      id: 'get_auto_connectors',
      app,
      method: 'GET',
      path: '/v1/auto/connectors',
      summary: 'Lists connectors with their actions and what each takes.',
      auth: 'member',
      input: {},
      answer: z.object({ connectorCount: z.int(), connectors: z.array(Entry) }).meta({ id: 'auto.ConnectorList' }),
      async run(context) {
        const { org } = caller(context);
        const [{ all }, own] = await Promise.all([service.connectors(org), service.own(org)]);
        return {
          connectorCount: all.length,
          connectors: all.map((each) => entryOf(each, own.has(each.name), version)),
        };
      },
    }),
    op({
      id: 'post_auto_connectors',
      app,
      method: 'POST',
      path: '/v1/auto/connectors',
      summary: 'Registers a connector of the organization’s own; one of the same name is replaced.',
      description:
        'Its actions are HTTP requests below `baseUrl`. A changed one has to be switched on again; one that goes elsewhere has to be connected again.',
      auth: 'admin',
      input: { body: Definition },
      answer: z.object({ connector: Entry }).meta({ id: 'auto.ConnectorRegistered' }),
      status: 201,
      refusals: {
        400: 'an address, path or prop that cannot be used',
        409: 'the name, or the name of one of its tools, is taken; or there are 100',
        413: 'more than 128 KiB',
      },
      async run(context, { body }) {
        const { org } = caller(context);
        const { created } = await service.register(org, body);
        await record(context, 'automations.connector.put', body.name, created ? 'created' : 'replaced', 201);
        return { connector: entryOf(await known(org, body.name), true, version) };
      },
    }),
    op({
      id: 'delete_auto_connectors_by_id',
      app,
      method: 'DELETE',
      path: '/v1/auto/connectors/{id}',
      summary: 'Removes one of the organization’s own connectors, with its credential.',
      auth: 'admin',
      input: { params: ConnectorId },
      answer: undefined,
      refusals: { 404: 'no such connector of the organization’s own' },
      async run(context, { params: { id } }) {
        if (!(await service.remove(caller(context).org, id))) {
          throw new Problem(404, `The organization has no connector '${id}' of its own.`);
        }
        await record(context, 'automations.connector.delete', id, 'deleted', 204);
      },
    }),
    op({
      id: 'get_auto_connections',
      app,
      method: 'GET',
      path: '/v1/auto/connections',
      summary: 'Lists which connectors have a credential, never a value.',
      auth: 'admin',
      input: {},
      answer: z.object({ connections: z.array(Connection) }).meta({ id: 'auto.ConnectionList' }),
      async run(context) {
        const found = await service.credentials.list(caller(context).org);
        return { connections: found.map(({ connector, secrets }) => ({ connector, secrets: [...secrets] })) };
      },
    }),
    op({
      id: 'put_auto_connections_by_id',
      app,
      method: 'PUT',
      path: '/v1/auto/connections/{id}',
      summary: 'Seals a credential for a connector, in place of the one that is there.',
      auth: 'admin',
      input: {
        params: ConnectorId,
        body: z.object({
          value: z.string().describe('at most 8192 bytes; it is never shown again'),
          secretName: z.string().optional().describe('default: the first that the connector names'),
        }),
      },
      answer: Connection,
      refusals: {
        404: 'no such connector',
        422: 'the connector takes no credential of that name',
        503: 'the plane has no key to seal with',
      },
      async run(context, { params: { id }, body }) {
        const { org } = caller(context);
        const { secrets } = await known(org, id);
        const secretName = body.secretName ?? secrets[0]?.name;
        if (secretName === undefined) throw new Problem(422, `'${id}' takes no credential.`);
        if (!secrets.some(({ name }) => name === secretName)) {
          throw new Problem(
            422,
            `'${id}' takes ${secrets.map(({ name }) => `'${name}'`).join(', ') || 'no credential'}.`,
          );
        }
        await service.credentials.connect(org, id, secretName, body.value);
        await record(context, 'automations.connection.put', id, 'ok');
        return { connector: id, secrets: [secretName] };
      },
    }),
    op({
      id: 'delete_auto_connections_by_id',
      app,
      method: 'DELETE',
      path: '/v1/auto/connections/{id}',
      summary: 'Destroys the credentials of a connector.',
      auth: 'admin',
      input: { params: ConnectorId },
      answer: undefined,
      refusals: { 404: 'it has none' },
      async run(context, { params: { id } }) {
        if (id.includes('/') || !(await service.credentials.disconnect(caller(context).org, id))) {
          throw new Problem(404, `'${id.slice(0, 128)}' is not connected.`);
        }
        await record(context, 'automations.connection.delete', id, 'deleted', 204);
      },
    }),
  ];
}

function entryOf(connector: Connector, own: boolean, version: string): z.input<typeof Entry> {
  const { name, displayName, description, authType, secrets, actions, triggers } = connector;
  return {
    name,
    displayName,
    description,
    logoUrl: '',
    version: own ? '1' : version,
    categories: [],
    auth: { type: authType, required: secrets.length > 0, secrets: secrets.map((each) => ({ ...each })) },
    own,
    actions: actions.map((action) => ({
      name: action.name,
      displayName: action.displayName,
      description: action.description,
      tool: `${name}_${action.name}`,
      props: propsOf(action.props),
    })),
    triggers: triggers.map((trigger) => ({ ...trigger, props: propsOf(trigger.props) })),
  };
}

function propsOf(props: Connector['actions'][number]['props']): z.input<typeof Prop>[] {
  return props.map((prop) => ({
    name: prop.name,
    displayName: prop.displayName ?? prop.name,
    type: prop.type,
    required: prop.required ?? false,
    description: prop.description ?? '',
  }));
}
