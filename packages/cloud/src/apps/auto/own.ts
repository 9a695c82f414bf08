// An organization's own connectors: HTTP requests declared as data. Nothing of them is code.
import { z } from 'zod';
import { Problem } from '../../core/problem.ts';
import { encoded, refused } from './http.ts';
import { type Action, ActionFailed, type Connector, type RunContext } from './types.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);
const PLACEHOLDER = /\{([^{}]*)\}/g;

const Name = (most: number) =>
  z
    .string()
    .regex(
      new RegExp(`^[a-z](?:[a-z0-9]|_(?!_)){0,${most - 1}}$`),
      `must be 1 to ${most} small letters, digits and single underscores, and start with a letter`,
    );
const PropName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/, 'must be 1 to 64 letters, digits and _ . -');
const Text = z.string().trim().max(1024);
const HEADER = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
/** Headers the connection itself writes, or that would change whom the request is for. */
const NOT_FOR_CREDENTIALS = /^(?:host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|proxy-.*)$/i;

const Prop = z.object({
  name: PropName,
  displayName: Text.optional(),
  type: z.enum(['string', 'number', 'boolean', 'object', 'array']),
  required: z.boolean().optional(),
  description: Text.optional(),
  in: z
    .enum(['query', 'body'])
    .optional()
    .describe('where it goes unless the path has it; default: the body of POST, PUT and PATCH, else the query'),
});

export const Definition = z
  .object({
    name: Name(40),
    displayName: Text.optional(),
    description: Text.default(''),
    baseUrl: z.string().trim().max(2048).describe('https; http only where no credential is sent'),
    auth: z
      .object({
        header: z
          .string()
          .regex(HEADER, 'must be the name of a header')
          .refine((name) => !NOT_FOR_CREDENTIALS.test(name), 'may not carry a credential')
          .describe('Authorization, X-Api-Key, ...'),
        prefix: z
          .string()
          .regex(/^[\x21-\x7e](?:[\x20-\x7e]{0,30}[\x20-\x7e])?$/, 'must be 1 to 32 visible characters')
          .optional()
          .describe('stands before the credential: `Bearer `'),
        secretName: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be small letters, digits and underscores'),
      })
      .optional(),
    actions: z
      .array(
        z.object({
          name: Name(40),
          displayName: Text.optional(),
          description: Text.default(''),
          method: z.enum(METHODS).default('GET'),
          path: z.string().max(1024).describe('/things/{id}; what is in braces is a required prop'),
          props: z.array(Prop).max(50).default([]),
        }),
      )
      .min(1)
      .max(50),
  })
  .meta({ id: 'auto.ConnectorDefinition' });

export type Definition = z.output<typeof Definition>;
type ActionDefinition = Definition['actions'][number];

/** Throws Problem 400 for a declaration that could not be run as it stands. `checkUrl` is the guard's. */
export function checkDefinition({ baseUrl, auth, actions }: Definition, checkUrl: (url: string) => void): void {
  let url: URL;
  try {
    checkUrl(baseUrl);
    url = new URL(baseUrl);
  } catch (error) {
    throw bad(`'baseUrl' cannot be used: ${error instanceof Error ? error.message : 'it is no URL'}.`);
  }
  if (url.search !== '' || url.hash !== '') throw bad("'baseUrl' must have neither a query nor a fragment.");
  if (auth !== undefined && url.protocol === 'http:' && !staysHere(url)) {
    throw bad("'baseUrl' must be https where a credential is sent: over http anybody on the way reads it.");
  }
  const seen = new Set<string>();
  for (const action of actions) {
    if (seen.has(action.name)) throw bad(`two actions are called '${action.name}'.`);
    seen.add(action.name);
    checkAction(action);
  }
}

function checkAction({ name, path, props }: ActionDefinition): void {
  const where = `the path of '${name}'`;
  if (!path.startsWith('/') || path.startsWith('//')) throw bad(`${where} must start with one slash.`);
  const bare = path.replaceAll(PLACEHOLDER, 'x');
  if (!/^[A-Za-z0-9/_.~!$&'()*+,;=:@-]*$/.test(bare)) {
    throw bad(`${where} may hold letters, digits, {props} and the characters / _ . ~ ! $ & ' ( ) * + , ; = : @ -`);
  }
  if (bare.split('/').some((segment) => /^\.+$/.test(segment)))
    throw bad(`${where} must not have segments of dots only.`);
  const declared = new Map(props.map((prop) => [prop.name, prop]));
  if (declared.size !== props.length) throw bad(`'${name}' declares a prop twice.`);
  for (const wanted of placeholders(path)) {
    const prop = declared.get(wanted);
    if (prop === undefined) throw bad(`${where} has {${wanted}}, which is no prop of it.`);
    if (prop.required !== true || (prop.type !== 'string' && prop.type !== 'number')) {
      throw bad(`'${wanted}' stands in ${where}, so it must be a required string or number.`);
    }
  }
}

/** A credential that never leaves this machine; whether it may be dialled at all is the guard's to say. */
function staysHere({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

function bad(detail: string): Problem {
  return new Problem(400, `${detail.slice(0, 1).toUpperCase()}${detail.slice(1)}`, { code: 'invalid_input' });
}

function placeholders(path: string): readonly string[] {
  return [...path.matchAll(PLACEHOLDER)].map(([, name]) => name as string);
}

/** The declaration as a connector, run like the shipped ones. */
export function ownConnector({ name, displayName, description, baseUrl, auth, actions }: Definition): Connector {
  return {
    name,
    displayName: displayName ?? name,
    description,
    authType: auth === undefined ? 'none' : 'header',
    secrets:
      auth === undefined ? [] : [{ name: auth.secretName, description: `sent in ${auth.header} to this service` }],
    actions: actions.map((action) => ownAction(name, baseUrl, auth, action)),
    triggers: [],
  };
}

function ownAction(service: string, baseUrl: string, auth: Definition['auth'], action: ActionDefinition): Action {
  const { name, displayName = name, description, method, path, props } = action;
  const inPath = new Set(placeholders(path));
  return {
    name,
    displayName,
    description,
    props: props.map((prop) => ({
      name: prop.name,
      type: prop.type,
      ...(prop.displayName === undefined ? {} : { displayName: prop.displayName }),
      ...(prop.required === undefined ? {} : { required: prop.required }),
      ...(prop.description === undefined ? {} : { description: prop.description }),
    })),
    async run({ input, token, request }: RunContext) {
      const filled = path.replaceAll(PLACEHOLDER, (_, prop: string) => encoded(String(input[prop])));
      // a segment made of several parts must not come out as dots either: '{a}{b}' with '.' and '.'
      if (filled.split('/').some((segment) => /^\.+$/.test(segment))) {
        throw new ActionFailed('a part of the path comes out as dots only');
      }
      const base = new URL(baseUrl);
      const url = new URL(`${base.origin}${base.pathname.replace(/\/+$/, '')}${filled}`);
      const body: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
      for (const prop of props) {
        const value = input[prop.name];
        if (value === undefined || inPath.has(prop.name)) continue;
        const place = prop.in ?? (WITH_BODY.has(method) ? 'body' : 'query');
        if (place === 'query' || !WITH_BODY.has(method)) {
          for (const each of Array.isArray(value) ? value : [value]) url.searchParams.append(prop.name, flat(each));
        } else body[prop.name] = value;
      }
      const headers: Record<string, string> = { accept: 'application/json' };
      if (auth !== undefined) headers[auth.header] = `${auth.prefix ?? ''}${await token(auth.secretName)}`;
      const hasBody = WITH_BODY.has(method);
      if (hasBody) headers['content-type'] = 'application/json';
      const answer = await request({
        method,
        url: url.href,
        headers,
        ...(hasBody ? { body: JSON.stringify(body) } : {}),
      });
      if (answer.status < 200 || answer.status > 299) throw refused(service, answer.status, answer.text);
      return { status: answer.status, body: parsed(answer.text) };
    },
  };
}

function flat(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** JSON as a value, anything else as text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
