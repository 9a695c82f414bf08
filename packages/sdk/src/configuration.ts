// Where the plane is, and who calls it: settled once, shared by every class of operations.

/** Where calls go when nothing else is said. */
export const DEFAULT_BASE_PATH = 'https://api.hanzo.ai';

export interface ConfigurationOptions {
  /** the key or token; a function is asked before every request, so that it can be renewed */
  readonly accessToken?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /** address of the plane, without `/v1`: `http://127.0.0.1:4280`. Default: HANZO_API_URL, then API_URL, then `DEFAULT_BASE_PATH` */
  readonly basePath?: string | undefined;
  /** milliseconds a call may take, retries counted in; 0: no limit. Default 120,000 */
  readonly timeout?: number;
  /** how often a call is made again (429: any; a lost connection, 502, 503, 504: reads only). Default 2 */
  readonly retries?: number;
  /** milliseconds before the first retry where the plane names no time; doubled for each further one. Default 250 */
  readonly retryDelay?: number;
  /** sent with every request */
  readonly headers?: Readonly<Record<string, string>>;
  /** instead of the global one */
  readonly fetch?: typeof globalThis.fetch;
}

export class Configuration {
  readonly accessToken: ConfigurationOptions['accessToken'];
  readonly basePath: string;
  readonly timeout: number;
  readonly retries: number;
  readonly retryDelay: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof globalThis.fetch;

  /** Throws a TypeError for a basePath that is no http(s) address. */
  constructor(options: ConfigurationOptions = {}) {
    this.accessToken = options.accessToken;
    this.basePath = addressOf(options.basePath || fromEnvironment() || DEFAULT_BASE_PATH);
    this.timeout = options.timeout ?? 120_000;
    this.retries = options.retries ?? 2;
    this.retryDelay = options.retryDelay ?? 250;
    this.headers = options.headers ?? {};
    // looked up at the call, so that a global replaced later is the one used; browsers want it called on the global
    this.fetch = options.fetch ?? ((...args) => globalThis.fetch(...args));
  }
}

function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.search !== '' ||
    url.hash !== ''
  ) {
    throw new TypeError(`basePath must be an http(s) address like http://127.0.0.1:4280, without a user or a query`);
  }
  return url.href.replace(/\/+$/, '');
}

function fromEnvironment(): string | undefined {
  // there is no process in a browser
  const env = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env;
  return env?.['HANZO_API_URL'] || env?.['API_URL'];
}
