// `hanzo-cloud doctor`: what of this configuration works here, and what would mend what does not. Changes nothing.
import { existsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import process from 'node:process';
import type { Config } from '../config.ts';
import { createStore } from '../store/index.ts';
import { loadKeks } from '../vault/index.ts';
import { isPostgres, VerbError, type VerbContext } from './context.ts';

interface Finding {
  readonly what: string;
  readonly state: 'ok' | 'note' | 'wrong';
  readonly said: string;
}

/** Answers 1 where something is wrong. */
export async function doctorVerb(args: readonly string[], { print }: VerbContext, config: Config): Promise<number> {
  const asJson = args.length === 1 && args[0] === '--json';
  if (args.length > 0 && !asJson) throw new VerbError('hanzo-cloud doctor [--json]', 2);
  const findings = [node(), await database(config), vault(config), await port(config), reach(config)];
  if (asJson) print(JSON.stringify(findings));
  else for (const { what, state, said } of findings) print(`${state.padEnd(5)}  ${what.padEnd(8)}  ${said}`);
  return findings.some(({ state }) => state === 'wrong') ? 1 : 0;
}

function node(): Finding {
  return { what: 'node', state: 'ok', said: process.versions.node };
}

async function database({ database: at }: Config): Promise<Finding> {
  const what = 'database';
  if (!isPostgres(at) && !existsSync(at)) {
    return { what, state: 'note', said: `${at} is not there yet; the first start makes it` };
  }
  try {
    const store = await createStore({ database: at, exclusive: false });
    await store.ping();
    await store.close();
    return { what, state: 'ok', said: isPostgres(at) ? 'PostgreSQL answers' : at };
  } catch (error) {
    return { what, state: 'wrong', said: error instanceof Error ? error.message : String(error) };
  }
}

function vault({ env, keyFile, data, database: at }: Config): Finding {
  const what = 'vault';
  const own = path.join(data, 'vault.key');
  try {
    const file = keyFile ?? (isPostgres(at) || !existsSync(own) ? undefined : own);
    if (loadKeks({ env, file }).length > 0) return { what, state: 'ok', said: file ?? 'HANZO_KEK' };
  } catch (error) {
    return { what, state: 'wrong', said: error instanceof Error ? error.message : String(error) };
  }
  return isPostgres(at)
    ? { what, state: 'wrong', said: 'no key: export HANZO_KEK=$(openssl rand -base64 32), the same on every node' }
    : { what, state: 'note', said: `${own} is not there yet; the first start makes it` };
}

async function port({ host, port: wanted }: Config): Promise<Finding> {
  const server = createServer();
  const failure = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    server.once('error', resolve);
    server.listen(wanted, host, () => resolve(undefined));
  });
  if (failure === undefined) {
    await new Promise((resolve) => server.close(resolve));
    return { what: 'address', state: 'ok', said: `${host}:${wanted} is free` };
  }
  const busy = failure.code === 'EADDRINUSE';
  return {
    what: 'address',
    state: busy ? 'note' : 'wrong',
    said: busy ? `${host}:${wanted} is taken, by a running plane or another program: --port N` : failure.message,
  };
}

function reach({ host, publicUrl, data }: Config): Finding {
  const open = !/^(?:localhost|127\.|::1$)/.test(host);
  const loose = existsSync(data) && (statSync(data).mode & 0o077) !== 0;
  if (open && publicUrl === undefined) {
    return {
      what: 'reach',
      state: 'note',
      said: 'other machines can connect, in the clear: put TLS in front and set --public-url',
    };
  }
  if (loose) return { what: 'reach', state: 'note', said: `others on this machine can list ${data}: chmod 700 it` };
  return { what: 'reach', state: 'ok', said: publicUrl ?? `this machine only (${host})` };
}
