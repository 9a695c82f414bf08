// Canaries in every place where the plane is given a secret, and a look for them everywhere it says or keeps something: answers,
// refusals, logs, the record, traces, metrics, the database's bytes, a backup, what the verbs print. On both stores, with servers that lie.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { createLogger } from '../http/log.ts';
import { createPlane } from '../plane.ts';
import { postgresBinaries } from '../store/cluster.ts';
import { stores } from '../store/testkit.ts';

const CLI = fileURLToPath(new URL('../cli.ts', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'canary-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Long enough to be nobody else's word; made of characters that no encoding leaves as they are, and some that all do. */
const canary = (name: string): string => `CANARY+${name}/7f3a9c51e0d84b26=`;

/** The ways in which a secret may be written, whole or by halves. */
function traces(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const half = Math.floor(secret.length / 2);
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    secret.slice(0, half),
    secret.slice(half),
  ];
}

/** An HTTP server on loopback that says what it was told, all of it, in whatever way it is told to. */
async function liar(answer: (request: IncomingMessage, body: string) => { status: number; text: string }): Promise<{
  url: string;
  /** credentials that came here */
  heard: string[];
  server: Server;
}> {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      heard.push(JSON.stringify(request.headers));
      const { status, text } = answer(request, body);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(text);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard, server };
}

describe.each(stores(folder))('on $name', ({ skipped, dialect, database: make }) => {
  test.skipIf(skipped !== undefined)(
    'no secret is seen anywhere but where it was asked for',
    async () => {
      const kek = Buffer.from(canary('kek').padEnd(32, '.').slice(0, 32));
      const database = withPassword(await make(), canary('dbpw'));
      const logs: string[] = [];
      const sent: string[] = [];
      const collector = await liar((_request, body) => {
        sent.push(body);
        return { status: 200, text: '{}' };
      });
      // repeats the credential it was sent in its failure, as some do
      const repeating = await liar((request) => ({
        status: 500,
        text: JSON.stringify({
          error: {
            message: `bad token ${String(request.headers.authorization)} ${String(request.headers['x-api-key'])}`,
          },
        }),
      }));
      const { port } = new URL(repeating.url);
      const { config } = readConfig(
        [
          '--database',
          database,
          '--data',
          folder,
          '--port',
          '0',
          '--grace',
          '2',
          '--otlp',
          collector.url,
          '--allow-private',
          `127.0.0.1:${port}`,
        ],
        { HANZO_KEK: kek.toString('base64') },
      );
      const plane = await createPlane({
        config,
        version: '0',
        logger: createLogger({ level: 'debug', write: (line) => logs.push(line) }),
      });
      const seen: string[] = [];
      const key = plane.firstKey ?? '';
      const secrets = new Map<string, string>([
        ['kek', kek.toString()],
        ['kek in base64', kek.toString('base64')],
        ['database password', canary('dbpw')],
        ['first key', key],
      ]);
      /** `shown`: the one answer whose purpose it is to show a secret */
      const ask = async (method: string, at: string, body?: unknown, credential = key, shown = false) => {
        const answer = await fetch(`${plane.url}${at}`, {
          method,
          headers: {
            authorization: `Bearer ${credential}`,
            'content-type': 'application/json',
            accept: 'application/json',
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const text = await answer.text();
        if (!shown) seen.push(`${method} ${at} ${answer.status} ${JSON.stringify([...answer.headers])} ${text}`);
        return { status: answer.status, text };
      };
      const plant = (name: string): string => {
        const secret = canary(name);
        secrets.set(name, secret);
        return secret;
      };

      // planted
      expect((await ask('PUT', '/v1/kms/secrets/prod', { value: plant('kms') })).status).toBe(200);
      const other = await ask('POST', '/v1/iam/keys', { owner: 'admin', name: 'other' }, key, true);
      secrets.set('second key', /sk-[0-9a-f]{48}/.exec(other.text)?.[0] ?? 'none');
      expect(secrets.get('second key')).toMatch(/^sk-/);
      expect((await ask('PUT', '/v1/auto/connections/github', { value: plant('connection') })).status).toBe(200);
      const agent = { name: 'helper', description: 'An agent.', url: repeating.url, secret: plant('agent') };
      const taken = [await ask('POST', '/v1/agent', agent)];
      const server = { name: 'Liar', url: `${repeating.url}/mcp`, authHeader: 'X-Api-Key', secret: plant('server') };
      taken.push(await ask('POST', '/v1/tool/mcp/servers', server));
      const connector = {
        name: 'own',
        displayName: 'Own',
        description: '',
        baseUrl: repeating.url,
        auth: { secretName: 'token', header: 'X-Api-Key' },
        actions: [{ name: 'get', path: '/', method: 'GET' }],
      };
      taken.push(await ask('POST', '/v1/auto/connectors', connector));
      await ask('PUT', '/v1/auto/connections/own', { value: plant('own connection') });

      // used, listed, refused and called, by everybody and by nobody
      for (const at of [
        '/v1/tool',
        '/v1/tool/kit',
        '/v1/tool/activation',
        '/v1/tool/mcp/servers',
        '/v1/agent',
        '/v1/agent/runs',
        '/v1/auto/connectors',
        '/v1/auto/connections',
        '/v1/kms/secrets',
        '/v1/kms/secrets/none',
        '/v1/iam/keys?owner=admin',
        '/v1/iam/account',
        '/v1/iam/users?owner=admin',
        '/metrics',
        '/v1/openapi.json',
        '/readyz',
      ]) {
        await ask('GET', at);
        await ask('GET', at, undefined, secrets.get('kms'));
      }
      const listed = JSON.parse((await ask('GET', '/v1/tool')).text) as { tools: { name: string }[] };
      const names = listed.tools.map(({ name }) => name).filter((name) => /^(agent|own|github|liar)/i.test(name));
      await ask('PUT', '/v1/tool/activation', { activate: names });
      for (const name of names)
        await ask('POST', '/v1/tool/call', { name, arguments: { input: 'x', owner: 'a', repo: 'b', title: 'c' } });
      await ask('POST', '/v1/tool/call', {
        name: secrets.get('connection'),
        arguments: { secret: secrets.get('agent') },
      });
      await ask('POST', '/v1/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
      await ask('POST', '/v1/mcp', {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'kms', arguments: { op: 'get_kms_secrets_by_name', input: { name: 'prod' } } },
      });
      await ask('GET', `/v1/nowhere/${encodeURIComponent(secrets.get('server') ?? '')}`, undefined, 'wrong');
      await ask('DELETE', '/v1/kms/secrets/none');
      const shown = await ask('GET', '/v1/kms/secrets/prod', undefined, key, true);
      expect(shown.text).toContain(canary('kms'));
      seen.push(...(await record(ask)));
      // the liars did hear what was meant for them, else this proves nothing
      const heard = repeating.heard.join('\n');
      expect(taken.map(({ status }) => status).filter((status) => status === 201).length).toBeGreaterThan(0);
      expect(heard).toContain('CANARY');
      await plane.close();

      const places: Record<string, string> = {
        answers: seen
          // what a caller says in a path or a name comes back to that caller
          .filter((line) => !line.startsWith('GET /v1/nowhere/'))
          .join('\n'),
        logs: logs.join('\n'),
        traces: sent.join('\n'),
        ...kept(dialect, database),
        ...printed(dialect, database, kek),
      };
      expect(places['traces']?.length).toBeGreaterThan(1000);
      const sightings: string[] = [];
      for (const [name, secret] of secrets) {
        for (const trace of traces(secret)) {
          for (const [place, text] of Object.entries(places)) {
            const at = text.indexOf(trace);
            if (at >= 0) sightings.push(`${name} in ${place}: ${text.slice(Math.max(0, at - 200), at + 60)}`);
          }
        }
      }
      expect(sightings).toEqual([]);
      for (const each of [collector, repeating]) each.server.close();
    },
    180_000,
  );
});

/** The whole record, page by page. */
async function record(ask: (method: string, at: string) => Promise<{ text: string }>): Promise<string[]> {
  const { text } = await ask('GET', '/v1/audit?limit=500');
  return [text];
}

function withPassword(database: string, password: string): string {
  if (!database.startsWith('postgres')) return database;
  const url = new URL(database);
  url.password = encodeURIComponent(password);
  return url.href;
}

/** What lies on the disk: every byte of the database and its log, or a dump of it. */
function kept(dialect: string, database: string): Record<string, string> {
  if (dialect === 'sqlite') {
    const name = path.basename(database);
    const files = readdirSync(path.dirname(database)).filter((each) => each.startsWith(name));
    return Object.fromEntries(
      files.map((each) => [each, readFileSync(path.join(path.dirname(database), each), 'latin1')]),
    );
  }
  const { stdout, status } = spawnSync(path.join(postgresBinaries() ?? '', 'pg_dump'), [database], {
    encoding: 'latin1',
    maxBuffer: 256 * 1024 * 1024,
  });
  expect(status).toBe(0);
  expect(stdout).toContain('audit_rows');
  // bytea is written in hexadecimal
  return {
    pg_dump: stdout,
    'pg_dump, decoded': stdout.replaceAll(/\\\\x([0-9a-f]+)/g, (_, hex: string) =>
      Buffer.from(hex, 'hex').toString('latin1'),
    ),
  };
}

/** What an operator sees of the verbs, and a backup. */
function printed(dialect: string, database: string, kek: Buffer): Record<string, string> {
  const run = (...args: string[]): string => {
    const done = spawnSync(
      process.execPath,
      ['--conditions=hanzo-source', '--no-warnings', CLI, ...args, '--database', database, '--data', folder],
      {
        env: { PATH: process.env['PATH'], HOME: folder, HANZO_KEK: kek.toString('base64') },
        encoding: 'utf8',
      },
    );
    return `${done.status} ${done.stdout} ${done.stderr}`;
  };
  const backup = path.join(folder, `backup-${dialect}`);
  const exported = path.join(folder, `record-${dialect}.ndjson`);
  const texts: Record<string, string> = {
    doctor: run('doctor', '--port', '0'),
    keys: run('keys', 'list', '--org', 'admin'),
    verify: run('audit', 'verify', '--db'),
    export: run('audit', 'export', exported, '--org', 'admin'),
    'backup verb': run('backup', backup),
    'a wrong verb': run('srve'),
  };
  texts['exported record'] = readFileSync(exported, 'utf8');
  expect(texts['exported record']).toContain('tools.call');
  if (dialect === 'sqlite') texts['backup'] = readFileSync(backup, 'latin1');
  return texts;
}
