// An organization's own secrets by name. Names are listed; a value is shown by one operation only, which no agent is offered.
import { z } from 'zod';
import type { Identity } from '../../core/identity.ts';
import { op, type Op, type OpContext } from '../../core/op.ts';
import { Problem } from '../../core/problem.ts';
import type { Audit } from '../../ports/audit.ts';
import type { ManagedVault } from '../../vault/index.ts';

interface Deps {
  readonly vault: ManagedVault;
  readonly audit: Audit;
}

const app = 'kms';
const Name = z
  .string()
  .regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/, 'must be 1 to 128 letters, digits, dots, dashes or underscores');
const Env = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, 'must be 1 to 32 small letters, digits, dashes or underscores')
  .default('default')
  .describe('default: `default`');
/** Bytes of UTF-8, as of a server's credential and with room for a certificate chain. */
const LARGEST = 65_536;

const GONE = { 404: 'no such secret' };

function caller({ identity }: OpContext): Identity {
  if (identity === undefined) throw new Problem(401, 'A credential is needed.');
  return identity;
}

/** Of the caller's own organization and nobody else's, an operator's neither. */
function place(org: string, env: string): string {
  return `orgs/${org}/secrets/${env}/`;
}

export function kmsOps({ vault, audit }: Deps): readonly Op[] {
  const record = (context: OpContext, action: string, id: string): Promise<void> =>
    audit.append(context, { action, resource: { type: 'secrets', id }, outcome: { result: 'ok', status: 200 } });

  return [
    op({
      id: 'get_kms_secrets',
      app,
      method: 'GET',
      path: '/v1/kms/secrets',
      summary: 'Lists the names of the organization’s secrets, never a value.',
      auth: 'admin',
      input: { query: z.object({ env: Env }) },
      answer: z.object({ secrets: z.array(z.object({ name: z.string(), env: z.string() })), total: z.int() }),
      async run(context, { query: { env } }) {
        const { org } = caller(context);
        const under = place(org, env);
        const refs = await vault.list(org, under);
        return { secrets: refs.map((ref) => ({ name: ref.slice(under.length), env })), total: refs.length };
      },
    }),
    op({
      id: 'get_kms_secrets_by_name',
      app,
      method: 'GET',
      path: '/v1/kms/secrets/{name}',
      summary: 'Shows one secret.',
      auth: 'admin',
      discloses: true,
      input: { params: z.object({ name: Name }), query: z.object({ env: Env }) },
      answer: z.object({ name: z.string(), env: z.string(), value: z.string() }),
      refusals: { ...GONE, 503: 'the key it was sealed under is not set up' },
      async run(context, { params: { name }, query: { env } }) {
        const { org } = caller(context);
        const value = await vault.get(org, place(org, env) + name);
        if (value === undefined) throw new Problem(404, `There is no secret '${name}' in '${env}'.`);
        await record(context, 'kms.secret.read', `${env}/${name}`);
        context.setHeader('cache-control', 'no-store');
        return { name, env, value: new TextDecoder().decode(value) };
      },
    }),
    op({
      id: 'put_kms_secrets_by_name',
      app,
      method: 'PUT',
      path: '/v1/kms/secrets/{name}',
      summary: 'Keeps a secret, in place of the one of that name.',
      auth: 'admin',
      input: {
        params: z.object({ name: Name }),
        body: z.object({ value: z.string().min(1).describe(`at most ${LARGEST} bytes`), env: Env }),
      },
      answer: z.object({ name: z.string(), env: z.string() }),
      refusals: { 400: 'too large', 503: 'no key is set up' },
      async run(context, { params: { name }, body: { value, env } }) {
        const { org } = caller(context);
        const bytes = new TextEncoder().encode(value);
        if (bytes.length > LARGEST)
          throw new Problem(400, `'value' has ${bytes.length} bytes; ${LARGEST} are the most.`);
        await vault.put(org, place(org, env) + name, bytes);
        await record(context, 'kms.secret.put', `${env}/${name}`);
        return { name, env };
      },
    }),
    op({
      id: 'delete_kms_secrets_by_name',
      app,
      method: 'DELETE',
      path: '/v1/kms/secrets/{name}',
      summary: 'Destroys a secret.',
      auth: 'admin',
      input: { params: z.object({ name: Name }), query: z.object({ env: Env }) },
      answer: undefined,
      refusals: GONE,
      async run(context, { params: { name }, query: { env } }) {
        const { org } = caller(context);
        const ref = place(org, env) + name;
        if (!(await vault.list(org, ref)).includes(ref))
          throw new Problem(404, `There is no secret '${name}' in '${env}'.`);
        await vault.delete(org, ref);
        await record(context, 'kms.secret.delete', `${env}/${name}`);
      },
    }),
    op({
      id: 'post_kms_rotate',
      app,
      method: 'POST',
      path: '/v1/kms/rotate',
      summary: 'Seals all of the organization’s secrets anew under a new data key; the old one is destroyed.',
      auth: 'admin',
      input: {},
      answer: z.object({ rotated: z.int().describe('values sealed anew') }),
      refusals: { 503: 'no key is set up' },
      async run(context) {
        const { org } = caller(context);
        const rotated = await vault.rotate(org);
        await record(context, 'kms.rotate', org);
        return { rotated };
      },
    }),
    op({
      id: 'post_kms_rewrap',
      app,
      method: 'POST',
      path: '/v1/kms/rewrap',
      summary: 'Wraps every data key by the newest key-encryption key; the one before can then be taken away.',
      auth: 'operator',
      internal: true,
      input: {},
      answer: z.object({ rewrapped: z.int().describe('data keys that were wrapped by an older one') }),
      refusals: { 503: 'no key is set up' },
      async run(context) {
        const rewrapped = await vault.rewrap();
        await record(context, 'kms.rewrap', 'all');
        return { rewrapped };
      },
    }),
  ];
}
