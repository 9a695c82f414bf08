// `requestState`: what the server wants to remember between rounds, kept by the client, so signed and bound.
import type { Caller } from '@hanzo/tool';
import { CODES, isObject, type Params, RpcError } from '../../core/rpc.ts';
import type { Service } from '../../core/service.ts';

/** What is remembered: the host's own state, answers of earlier rounds, and what was asked last. */
export interface Remembered {
  /** the host's state */
  state?: string;
  /** answers so far, by the digest of their question */
  answers?: Record<string, unknown>;
  /** the digest of each question of the last round, by its key on the wire */
  asked?: Record<string, string>;
}

/** The request a state belongs to. */
export interface Binding {
  caller: Caller;
  method: string;
  params: Params;
}

const keys = new WeakMap<Service, Uint8Array>();

/** Signs `remembered` for this caller and this request. The result is opaque text. */
export function seal(service: Service, binding: Binding, remembered: Remembered): string {
  const payload = Buffer.from(JSON.stringify({ until: Date.now() + service.stateLife, ...remembered })).toString(
    'base64url',
  );
  return `${payload}.${mac(service, binding, payload)}`;
}

/** Verifies and opens a state. Throws -32602 on one that is forged, changed, expired, or of another request or caller. */
export function open(service: Service, binding: Binding, sealed: unknown): Remembered {
  if (typeof sealed !== 'string') throw bad('must be a string');
  const dot = sealed.lastIndexOf('.');
  const payload = sealed.slice(0, Math.max(dot, 0));
  const expected = Buffer.from(mac(service, binding, payload));
  // Compared as text: decoding would accept characters after the end.
  const given = Buffer.from(sealed.slice(dot + 1));
  if (given.length !== expected.length || !crypto().timingSafeEqual(given, expected)) {
    throw bad('is not one this server gave for this request');
  }
  const opened: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
  if (!isObject(opened) || typeof opened['until'] !== 'number' || opened['until'] < Date.now()) {
    throw bad('has expired; make the request anew');
  }
  // Signed by us, so it has the form we gave it.
  return opened as Remembered;
}

/** SHA-256 of a JSON value, the same whatever the order of its keys; base64url. */
export function digest(value: unknown): string {
  return crypto().createHash('sha256').update(canonical(value)).digest('base64url');
}

function mac(service: Service, { caller, method, params }: Binding, payload: string): string {
  const { _meta, inputResponses: _responses, requestState: _state, ...own } = params;
  return crypto()
    .createHmac('sha256', keyOf(service))
    .update(JSON.stringify([caller.id, method, digest(own), payload]))
    .digest('base64url');
}

function keyOf(service: Service): Uint8Array {
  let key = service.stateKey ?? keys.get(service);
  if (!key) keys.set(service, (key = crypto().randomBytes(32)));
  return key;
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${members.join()}}`;
}

function bad(why: string): RpcError {
  return new RpcError(CODES.invalidParams, `Invalid requestState: it ${why}`);
}

/** Loaded when first needed: most processes never sign anything. */
function crypto(): typeof import('node:crypto') {
  return process.getBuiltinModule('node:crypto');
}
