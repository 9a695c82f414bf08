// Request headers: what a caller may set, and what may follow a redirect to another origin.
import { NetError, short } from './errors.ts';

/** Header fields as a caller gives them; names in any case, each once. */
export type HeaderFields = Readonly<Record<string, string>>;

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/; // RFC 9110 5.6.2
const MOST_BYTES = 65_536;

/** Framing and routing belong to the client; a caller who sets them could smuggle a second request or another host. */
const OURS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Headers that say nothing about who asks. Every other header a caller sets is taken for a credential when a redirect
 * leaves the origin: a list of known credential names would always lack one.
 */
const HARMLESS: ReadonlySet<string> = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-language',
  'content-type',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'pragma',
  'range',
  'user-agent',
]);

/** Lower-cased, checked headers. Throws NetError `invalid` with the name and the mend. */
export function requestHeaders(fields: HeaderFields): Map<string, string> {
  const headers = new Map<string, string>();
  let bytes = 0;
  for (const [name, value] of Object.entries(fields)) {
    const key = name.toLowerCase();
    if (!TOKEN.test(name)) {
      throw new NetError('invalid', `'${short(name, 60)}' is not a header name; use letters, digits and '-'`);
    }
    if (OURS.has(key)) {
      throw new NetError('invalid', `the header '${name}' is set by the client itself; leave it out`, { header: key });
    }
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    if (typeof value !== 'string' || /[^\t\u0020-\u007e\u0080-\u00ff]/.test(value)) {
      throw new NetError(
        'invalid',
        `the value of the header '${short(name, 60)}' holds a line end, a control character or a character above U+00FF; encode it`,
        { header: key },
      );
    }
    if (headers.has(key)) throw new NetError('invalid', `the header '${key}' is given twice`, { header: key });
    headers.set(key, value.trim());
    bytes += name.length + value.length + 4;
  }
  if (bytes > MOST_BYTES) throw new NetError('invalid', `the headers are longer than ${MOST_BYTES} bytes`);
  return headers;
}

/** True if a header may be a credential: anything but the known harmless ones. */
export function isCredential(name: string): boolean {
  return !HARMLESS.has(name);
}

/** The response headers of undici's raw list (name, value, name, value ...), Latin-1 as on the wire. */
export function responseHeaders(raw: readonly (Buffer | string)[]): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < raw.length; i += 2) {
    try {
      headers.append(text(raw[i]), text(raw[i + 1]));
    } catch {
      // A field that is no header by RFC 9110 says nothing that could be relied on.
    }
  }
  return headers;
}

function text(part: Buffer | string | undefined): string {
  return typeof part === 'string' ? part : (part?.toString('latin1') ?? '');
}
