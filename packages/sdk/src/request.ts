// One call over HTTP: from an operation and its input to an answer or an error. Everything generated goes through here.
import type { Configuration } from './configuration.ts';
import { ApiError, ConnectionError, type Problem } from './errors.ts';

/** An operation as the wire needs it. */
export interface Operation {
  /** `get_tool_kit` */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `/v1/tool/catalog/{id}` */
  readonly path: string;
  /** members of the input that go into the query */
  readonly query?: readonly string[];
  /** members of the input that go into the body; left out: it takes none */
  readonly body?: readonly string[];
}

export interface RequestOptions {
  /** ends the call; it then rejects with the signal's reason */
  readonly signal?: AbortSignal;
  /** milliseconds, instead of the configuration's */
  readonly timeout?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ApiResponse<T> {
  readonly data: T;
  readonly status: number;
  readonly headers: Headers;
}

/** What a query parameter may be given as; it travels as text. */
export type QueryValue = string | number | boolean;

/** Every class of operations. */
export class Api {
  readonly #configuration: Configuration;

  constructor(configuration: Configuration) {
    this.#configuration = configuration;
  }

  protected send<T>(
    operation: Operation,
    input: object | undefined,
    options?: RequestOptions,
  ): Promise<ApiResponse<T>> {
    return send<T>(this.#configuration, operation, input, options);
  }
}

/**
 * Calls an operation.
 *
 * Rejects with ApiError (the plane refused), ConnectionError (no answer), a TypeError (the input cannot be sent), or the
 * reason of `signal`.
 */
export async function send<T>(
  configuration: Configuration,
  operation: Operation,
  input: object = {},
  options: RequestOptions = {},
): Promise<ApiResponse<T>> {
  const given = input as Readonly<Record<string, unknown>>;
  const url = configuration.basePath + pathOf(operation, given) + queryOf(operation, given);
  const milliseconds = options.timeout ?? configuration.timeout;
  const timeout = milliseconds > 0 ? AbortSignal.timeout(milliseconds) : undefined;
  const signals = [options.signal, timeout].filter((each) => each !== undefined);
  const signal = AbortSignal.any(signals);
  const body = operation.body === undefined ? undefined : JSON.stringify(pick(operation.body, given));

  const stopped = (): unknown => {
    if (options.signal?.aborted) return options.signal.reason;
    return timeout?.aborted
      ? new ConnectionError(
          operation.id,
          'timeout',
          `No answer within ${milliseconds} ms from ${configuration.basePath}`,
        )
      : undefined;
  };

  for (let attempt = 0; ; attempt += 1) {
    let response: Response | undefined;
    let text = '';
    let failure: unknown;
    try {
      signal.throwIfAborted();
      const token = await tokenOf(configuration);
      response = await configuration.fetch(url, {
        method: operation.method,
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...configuration.headers,
          ...options.headers,
        },
        signal,
        // a plane does not redirect, and a key is not to be carried elsewhere
        redirect: 'error',
        ...(body === undefined ? {} : { body }),
      });
      text = await response.text();
    } catch (error) {
      failure = error;
    }
    const end = stopped();
    if (end !== undefined) throw end;
    const again =
      attempt < configuration.retries && waitOf(configuration, operation, attempt, failure ? undefined : response);
    if (again !== false) {
      await pause(again, signal);
      continue;
    }
    if (failure !== undefined || response === undefined) throw unreachable(configuration, operation, failure);
    return answerOf<T>(configuration, operation, response, text);
  }
}

/** Milliseconds until the next attempt, or false where there is none to be made. */
function waitOf(
  { retryDelay }: Configuration,
  { method }: Operation,
  attempt: number,
  response: Response | undefined,
): number | false {
  // whatever was refused for its rate was not begun; anything else may have been, and only reads bear repeating
  const status = response?.status ?? 503;
  if (status !== 429 && !(method === 'GET' && [502, 503, 504].includes(status))) return false;
  const named = Number(response?.headers.get('retry-after') ?? Number.NaN) * 1000;
  if (Number.isFinite(named)) return named <= 30_000 ? named : false;
  return retryDelay * 2 ** attempt * (0.5 + Math.random() / 2);
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  const stop = (): void => resolve();
  signal.addEventListener('abort', stop, { once: true });
  await promise;
  clearTimeout(timer);
  signal.removeEventListener('abort', stop);
}

function answerOf<T>({ basePath }: Configuration, { id }: Operation, response: Response, text: string): ApiResponse<T> {
  const { status, headers } = response;
  let data: unknown;
  try {
    data = text === '' ? undefined : JSON.parse(text);
  } catch (error) {
    if (response.ok) {
      throw new ConnectionError(
        id,
        'not_json',
        `${basePath} answered with something that is not JSON; is it a plane?`,
        error,
      );
    }
  }
  if (!response.ok) throw new ApiError(id, problemOf(response, data), headers);
  // the generated type says what an operation answers; the plane's own tests hold it to that
  return { data: data as T, status, headers };
}

/** The document of a refusal; what stands before a plane may answer in another form, and is put into this one. */
function problemOf({ status, statusText, headers }: Response, data: unknown): Problem {
  const found = typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
  const text = (name: string): string | undefined => (typeof found[name] === 'string' ? found[name] : undefined);
  const title = text('title') ?? (statusText || `Status ${status}`);
  return {
    ...found,
    status,
    title,
    detail: text('detail') ?? text('error') ?? text('message') ?? text('msg') ?? title,
    code: text('code') ?? `http_${status}`,
    requestId: text('requestId') ?? headers.get('x-request-id') ?? undefined,
  };
}

function unreachable({ basePath }: Configuration, { id }: Operation, failure: unknown): ConnectionError {
  const { message, cause } = failure instanceof Error ? failure : { message: String(failure), cause: undefined };
  const why = cause instanceof Error ? (cause as Error & { code?: string }).code || cause.message : message;
  return new ConnectionError(id, 'unreachable', `${basePath} cannot be reached: ${why}`, failure);
}

async function tokenOf({ accessToken }: Configuration): Promise<string | undefined> {
  const token = typeof accessToken === 'function' ? await accessToken() : accessToken;
  return token === '' ? undefined : token;
}

function pathOf({ id, path }: Operation, input: Readonly<Record<string, unknown>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = input[name];
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    // a dot segment would be taken out of the address, and another operation called
    if (text === '' || text === '.' || text === '..')
      throw new TypeError(`${id}: '${name}' must be a name, not '${text}'`);
    return encodeURIComponent(text);
  });
}

function queryOf({ query = [] }: Operation, input: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams();
  for (const name of query) {
    const value = input[name];
    if (value !== undefined && value !== null) search.append(name, String(value as QueryValue));
  }
  return search.size === 0 ? '' : `?${search}`;
}

function pick(names: readonly string[], input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]));
}
