// The decision: which URLs may be asked for, and which addresses may be dialled. No sockets here.
import { isIP } from 'node:net';
import { type AddressKind, classify, toBytes } from './address.ts';
import { allowList } from './allow.ts';
import { NetError, short, shown } from './errors.ts';
import { NON_HTTP_PORTS } from './ports.ts';

/** What the guard is told. */
export interface GuardOptions {
  /** opens every well-formed address; for local work only. Default false */
  readonly allowPrivate?: boolean;
  /** exceptions by address: `10.0.0.5`, `10.0.0.5:8443`, `10.1.0.0/16`, `[fd00::1]:8443`. Default none */
  readonly allow?: readonly string[];
  /** the only ports that may be dialled. Default: every port but those of well-known protocols that are not HTTP */
  readonly ports?: readonly number[];
}

export interface Guard {
  /** The URL to ask for, checked as far as its text goes. Throws NetError `invalid` or `blocked`. */
  url(raw: string | URL, base?: URL): URL;
  /** Checks one address before it is dialled, or the peer after. Throws NetError `blocked`. */
  address(address: string, host: string, port: number): void;
}

/** Longest URL taken, in UTF-16 units; servers commonly stop at 8 KiB. */
const MAX_URL = 16_384;

export function createGuard(options: GuardOptions): Guard {
  const allowed = allowList(options.allow ?? []);
  const ports = options.ports ? new Set(options.ports) : undefined;

  const address = (candidate: string, host: string, port: number): void => {
    const kind = classify(candidate);
    if (kind === 'public') return;
    if (kind !== 'malformed' && (options.allowPrivate || allowed(candidate, port))) return;
    throw refusal(kind, candidate, host);
  };

  return {
    address,
    url(raw, base) {
      const url = parse(typeof raw === 'string' ? raw : raw.href, base);
      const port = portOf(url);
      if (ports ? !ports.has(port) : NON_HTTP_PORTS.has(port)) {
        throw new NetError(
          'blocked',
          ports
            ? `port ${port} is not one of the allowed ports (${[...ports].join(', ')})`
            : `port ${port} is known for a protocol that is not HTTP; web servers are not reached there`,
          { url: shown(url), port },
        );
      }
      const host = hostOf(url);
      if (isIP(host) !== 0) address(host, host, port);
      return url;
    },
  };
}

/** The host of a URL without the brackets of an IPv6 literal. */
export function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
}

/** The port of a URL, its scheme's own when none is written. */
function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function parse(raw: string, base: URL | undefined): URL {
  if (raw.length > MAX_URL) throw new NetError('invalid', `the URL is longer than ${MAX_URL} characters`);
  // The URL standard drops tabs and line ends and turns backslashes into slashes, so that two readers of one text can
  // see two hosts. A text that needs such repair is refused instead.
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(raw)) {
    throw new NetError(
      'invalid',
      'the URL holds a control character (a tab or line end?); percent-encode it or leave it out',
    );
  }
  const beforeQuery = raw.split(/[?#]/, 1)[0] ?? '';
  if (beforeQuery.includes('\\')) throw new NetError('invalid', "the URL holds a backslash; write '/' or %5C");
  if (!base && !/^[a-z][a-z0-9+.-]*:\/\//i.test(raw)) {
    throw new NetError(
      'invalid',
      `'${short(raw, 200)}' is not an absolute URL; write http:// or https:// and the host`,
    );
  }
  const url = URL.parse(raw, base?.href);
  if (!url) throw new NetError('invalid', `'${short(raw, 200)}' is not a valid URL`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new NetError('blocked', `'${url.protocol}' URLs are not fetched; only http: and https: are`, {
      scheme: url.protocol,
    });
  }
  const authority = /^(?:[a-z][a-z0-9+.-]*:)?\/\/([^/]*)/i.exec(beforeQuery)?.[1] ?? '';
  if (url.username !== '' || url.password !== '' || authority.includes('@')) {
    throw new NetError(
      'blocked',
      "the URL holds a user name or password before '@'; leave it out and send an Authorization header if one is needed",
      { host: url.hostname },
    );
  }
  if (/^\.*$/.test(url.hostname)) throw new NetError('invalid', 'the URL has no host');
  url.hash = '';
  return url;
}

const ARTICLE: ReadonlyMap<AddressKind, string> = new Map([
  ['loopback', 'this machine itself'],
  ['private', 'a private network'],
  ['link-local', 'the local link, where cloud metadata services live'],
  ['shared', 'carrier-grade NAT space'],
  ['unspecified', 'the unspecified address, which reaches this machine'],
  ['multicast', 'a multicast group'],
  ['broadcast', 'the broadcast address'],
  ['documentation', 'documentation space'],
  ['benchmarking', 'benchmarking space'],
  ['translation', 'an address that hides another one (translation or tunnel)'],
  ['metadata', 'a cloud metadata service'],
  ['reserved', 'reserved space'],
  ['malformed', 'no plain IP address'],
]);

function refusal(kind: AddressKind, address: string, host: string): NetError {
  const what = ARTICLE.get(kind) ?? kind;
  const unwrapped = toBytes(address);
  const mapped = address.includes(':') && unwrapped?.length === 4 ? ` (${unwrapped.join('.')})` : '';
  const subject = host === address ? `${host}${mapped} is` : `${host} leads to`;
  return new NetError('blocked', `${subject} ${what}; only public addresses are reached`, { host, address, kind });
}
