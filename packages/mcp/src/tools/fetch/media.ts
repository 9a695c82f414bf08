// What kind of content an answer is: by its type, and by its first bytes where the type says nothing.

export interface Media {
  /** type/subtype in lower case; `application/octet-stream` where nothing is said and the bytes are no text */
  readonly mime: string;
  readonly charset: string | undefined;
  readonly kind: 'html' | 'text' | 'image' | 'binary';
}

const HTML: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);
/** Pictures that a model can see. */
const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const TEXT =
  /^(?:text\/.+|(?:application|image|model|message)\/(?:.+\+)?(?:json|xml|yaml|toml)|application\/(?:x-)?(?:javascript|ecmascript|typescript|ndjson|jsonlines|json-seq|yaml|toml|sh|httpd-php|perl|python|ruby|sql|graphql|latex|tex|csh|www-form-urlencoded|x-www-form-urlencoded|rtf|subrip|mpegurl|pem-file|x509-ca-cert)|message\/.+)$/;
/** Types that servers send when they do not know. */
const UNKNOWN: ReadonlySet<string> = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/unknown',
  'unknown/unknown',
]);

/** Reads a Content-Type and, where that is missing or says nothing, the first bytes. */
export function mediaOf(contentType: string | null, bytes: Uint8Array): Media {
  const said = mimeOf(contentType);
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1];
  const mime = UNKNOWN.has(said) ? sniff(bytes) : said;
  return { mime, charset, kind: kindOf(mime) };
}

/** The type/subtype of a Content-Type in lower case; '' when there is none. */
export function mimeOf(contentType: string | null): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function kindOf(mime: string): Media['kind'] {
  if (HTML.has(mime)) return 'html';
  if (IMAGES.has(mime)) return 'image';
  return TEXT.test(mime) ? 'text' : 'binary';
}

function sniff(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 4096));
  if (/^(?:\ufeff)?\s*(?:<!--[\s\S]{0,2000}-->\s*)?<(?:!doctype html|html|head|body)\b/i.test(start.toString('utf8')))
    return 'text/html';
  if (start.subarray(0, 4).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47]))) return 'image/png';
  if (start.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg';
  if (/^GIF8[79]a/.test(start.toString('latin1', 0, 6))) return 'image/gif';
  if (/^RIFF[\s\S]{4}WEBP/.test(start.toString('latin1', 0, 12))) return 'image/webp';
  if (start.includes(0)) return 'application/octet-stream';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true });
    return 'text/plain';
  } catch {
    return 'application/octet-stream';
  }
}
