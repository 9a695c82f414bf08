// How a plane is set up: flags over environment over one file, made into one frozen value. Nothing else reads the environment.
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { isPostgres, VerbError } from './verbs/context.ts';
import { LEVELS } from './http/log.ts';

const Port = z.coerce.number().int().min(0).max(65_535);
const Names = z.preprocess(
  (value) =>
    typeof value === 'string'
      ? value
          .split(',')
          .map((each) => each.trim())
          .filter((each) => each !== '')
      : value,
  z.array(z.string()),
);
const Switch = z.preprocess(
  (value) => (value === 'true' || value === '1' ? true : value === 'false' || value === '0' ? false : value),
  z.boolean(),
);

const Settings = z.strictObject({
  data: z.string().optional(),
  database: z.string().optional(),
  synchronous: z.enum(['full', 'normal']).default('normal'),
  host: z.string().default('127.0.0.1'),
  port: Port.default(4280),
  publicUrl: z.url({ protocol: /^https?$/ }).optional(),
  allowedHosts: Names.default([]),
  allowedOrigins: Names.default([]),
  trustProxy: Switch.default(false),
  keyFile: z.string().optional(),
  logLevel: z.enum(LEVELS as [string, ...string[]]).default('info'),
  grace: z.coerce.number().min(0).max(600).default(30),
  registry: z.url({ protocol: /^https?$/ }).default('https://registry.modelcontextprotocol.io'),
  allowPrivate: Names.default([]),
  charger: z.enum(['none', 'ledger']).default('none'),
  issuer: z.url().optional(),
  audience: z.string().optional(),
  jwks: z.url().optional(),
  otlp: z.url({ protocol: /^https?$/ }).optional(),
});

export interface Config extends Readonly<Omit<z.output<typeof Settings>, 'data' | 'database' | 'logLevel'>> {
  /** folder of the embedded database and the vault's key file */
  readonly data: string;
  /** a file's path, or `postgres://...` */
  readonly database: string;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  /** fees and the vault's keys are read from it by the parts that have them */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Where each setting may come from, and what the help says of it. */
export const SETTINGS: readonly (readonly [
  name: keyof z.output<typeof Settings>,
  flag: string,
  env: string,
  help: string,
])[] = [
  ['data', 'data', 'CLOUD_DATA_DIR', 'folder for the embedded database and the key file; default ~/.hanzo/cloud'],
  ['database', 'database', 'HANZO_DATABASE', 'a SQLite file, or postgres://...; default plane.db in the data folder'],
  [
    'synchronous',
    'synchronous',
    'HANZO_SYNCHRONOUS',
    'SQLite: normal (default) outlives the end of the process, full also a power failure, at a flush for each write',
  ],
  ['host', 'host', 'HANZO_HOST', 'address to bind; default 127.0.0.1'],
  ['port', 'port', 'HANZO_PORT', 'default 4280; 0 takes a free one'],
  [
    'publicUrl',
    'public-url',
    'HANZO_PUBLIC_URL',
    'how clients reach the plane from outside, https://plane.example.com',
  ],
  ['allowedHosts', 'allow-host', 'HANZO_ALLOWED_HOSTS', 'further Host names at /v1/mcp, with commas'],
  ['allowedOrigins', 'allow-origin', 'HANZO_ALLOWED_ORIGINS', 'web pages that may use /v1/mcp, with commas'],
  ['trustProxy', 'trust-proxy', 'HANZO_TRUST_PROXY', 'believe X-Forwarded-For of the proxy in front: true or false'],
  [
    'keyFile',
    'key-file',
    'HANZO_KEY_FILE',
    "the vault's key file; default vault.key in the data folder, made on first start",
  ],
  ['logLevel', 'log-level', 'HANZO_LOG_LEVEL', 'debug, info, warn or error; default info'],
  ['grace', 'grace', 'HANZO_GRACE', 'seconds that calls under way have at the end; default 30'],
  ['registry', 'registry', 'CLOUD_TOOLS_REGISTRY', 'the upstream registry of MCP servers'],
  [
    'allowPrivate',
    'allow-private',
    'HANZO_ALLOW_PRIVATE',
    'private addresses that may be dialled: 10.0.0.5:8443, 10.1.0.0/16',
  ],
  ['charger', 'charger', 'HANZO_CHARGER', 'how priced tools are settled: none (refused) or ledger'],
  ['issuer', 'issuer', 'HANZO_JWT_ISSUER', 'accept tokens of this issuer beside keys'],
  ['audience', 'audience', 'HANZO_JWT_AUDIENCE', "the audience such tokens must name; default the plane's /v1/mcp"],
  ['jwks', 'jwks', 'HANZO_JWT_JWKS', "where the issuer's keys are; default ISSUER/.well-known/jwks.json"],
  [
    'otlp',
    'otlp',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'send traces to this OpenTelemetry collector (OTLP over HTTP), http://127.0.0.1:4318',
  ],
];

/** What is left of a command line after the settings, for the verb. */
export interface Configured {
  readonly config: Config;
  readonly rest: readonly string[];
}

/** Throws VerbError, which names the setting and where it came from. */
export function readConfig(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): Configured {
  const options = Object.fromEntries(
    [...SETTINGS.map(([, flag]) => flag), 'config'].map((flag) => [flag, { type: 'string' as const }]),
  );
  // what belongs to a verb is the verb's to understand
  const { values, tokens } = parseArgs({
    args: [...argv],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const known = new Set(Object.keys(options));
  const taken = new Set<number>();
  for (const token of tokens) {
    if (token.kind !== 'option' || !known.has(token.name)) continue;
    if (token.value === undefined) throw new VerbError(`--${token.name} needs a value`, 2);
    taken.add(token.index);
    if (token.inlineValue === false) taken.add(token.index + 1);
  }
  const file = values['config'] ?? env['HANZO_CONFIG'];
  const given: Record<string, unknown> = typeof file === 'string' ? readFile(file) : {};
  const origin = new Map(Object.keys(given).map((name) => [name, `in ${String(file)}`]));
  for (const [name, flag, variable] of SETTINGS) {
    const fromEnv = env[variable];
    if (fromEnv !== undefined && fromEnv !== '') {
      given[name] = fromEnv;
      origin.set(name, `in ${variable}`);
    }
    if (values[flag] !== undefined) {
      given[name] = values[flag];
      origin.set(name, `of --${flag}`);
    }
  }
  const parsed = Settings.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const name = String(issue?.path[0] ?? (issue?.code === 'unrecognized_keys' ? issue.keys[0] : ''));
    throw new VerbError(`the setting '${name}' ${origin.get(name) ?? ''} is not usable: ${issue?.message ?? ''}`, 2);
  }
  const data = path.resolve(parsed.data.data ?? path.join(homedir(), '.hanzo', 'cloud'));
  const database = parsed.data.database ?? path.join(data, 'plane.db');
  return {
    config: Object.freeze({
      ...parsed.data,
      data,
      database: isPostgres(database) || database === ':memory:' ? database : path.resolve(database),
      logLevel: parsed.data.logLevel as Config['logLevel'],
      env,
    }),
    rest: argv.filter((_, index) => !taken.has(index)),
  };
}

function readFile(file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch (error) {
    throw new VerbError(`the file ${file} cannot be read as settings: ${(error as Error).message}`, 2);
  }
  throw new VerbError(`the file ${file} must hold one JSON object`, 2);
}
