// A response body that cannot outgrow its limit: decoded as it streams, counted after decoding.
import { type Readable, type Transform, pipeline } from 'node:stream';
import zlib from 'node:zlib';
import { NetError, short } from './errors.ts';

/** What happens at `maxBytes`: an error `too-large`, or the first `maxBytes` bytes and `truncated`. */
export type Overflow = 'error' | 'truncate';

/** The body of a response: an async iterable of bytes that can be read once. */
export interface NetBody extends AsyncIterable<Uint8Array> {
  /** true once reading has stopped at the limit with more to come (only with overflow 'truncate') */
  readonly truncated: boolean;
  /** Reads everything, up to the limit. */
  bytes(): Promise<Uint8Array>;
  /** Lets go of the connection without reading on. */
  discard(): void;
}

export interface BodyOptions {
  /** content codings in the order they were applied (RFC 9110 8.4) */
  readonly codings: readonly string[];
  /** Content-Length, if it counts what is handed out (no coding) */
  readonly announced: number | undefined;
  readonly maxBytes: number;
  readonly overflow: Overflow;
  /** turns a stream's failure into a NetError */
  readonly explain: (error: unknown) => NetError;
  /** called once when the body is over, for whatever reason */
  readonly done: () => void;
}

/** Compressed bytes that may come for each allowed byte of output, so that input without output ends too. */
const SLACK = 65_536;
/** Codings on top of each other; one is usual, two are seen, more are an attack. */
const MOST_CODINGS = 2;

export function createBody(source: Readable, options: BodyOptions): NetBody {
  const { maxBytes, overflow } = options;
  let truncated = false;
  let used = false;
  let over = false;
  const finish = (): void => {
    if (over) return;
    over = true;
    source.on('error', () => undefined);
    source.destroy();
    options.done();
  };

  async function* read(): AsyncGenerator<Uint8Array, void, undefined> {
    if (used) throw new NetError('invalid', 'the body has already been read');
    used = true;
    let left = maxBytes;
    try {
      if (overflow === 'error' && options.announced !== undefined && options.announced > maxBytes)
        throw tooLarge(maxBytes);
      for await (const chunk of decoded(source, options)) {
        if (chunk.length > left) {
          if (overflow === 'error') throw tooLarge(maxBytes);
          truncated = true;
          if (left > 0) yield chunk.subarray(0, left);
          return;
        }
        left -= chunk.length;
        yield chunk;
      }
    } catch (error) {
      throw options.explain(error);
    } finally {
      finish();
    }
  }

  return {
    get truncated() {
      return truncated;
    },
    [Symbol.asyncIterator]: read,
    async bytes() {
      const chunks: Uint8Array[] = [];
      for await (const chunk of read()) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
    discard() {
      used = true;
      finish();
    },
  };
}

/** The codings named by Content-Encoding, `identity` left out. */
export function codingsOf(header: string | null): string[] {
  return (header ?? '')
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '' && each !== 'identity');
}

function decoded(source: Readable, { codings, maxBytes }: BodyOptions): AsyncIterable<Buffer> {
  if (codings.length === 0) return source;
  if (codings.length > MOST_CODINGS) {
    throw new NetError(
      'protocol',
      `the body is encoded ${codings.length} times over; at most ${MOST_CODINGS} are undone`,
    );
  }
  // The codings were applied left to right, so the last one is undone first.
  return codings.reduceRight<AsyncIterable<Buffer>>(decode, limited(source, maxBytes + SLACK));
}

async function* limited(source: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer, void, undefined> {
  let read = 0;
  for await (const chunk of source) {
    read += chunk.length;
    if (read > most) throw tooLarge(most);
    yield chunk;
  }
}

async function* decode(source: AsyncIterable<Buffer>, coding: string): AsyncGenerator<Buffer, void, undefined> {
  const chunks = source[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done) return;
  const decoder = makeDecoder(coding, first.value);
  async function* whole(): AsyncGenerator<Buffer, void, undefined> {
    yield first.value as Buffer;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  }
  // The failure of any part destroys the decoder with it, and is thrown by the loop that reads from it.
  pipeline(whole, decoder, () => undefined);
  yield* decoder as AsyncIterable<Buffer>;
}

function makeDecoder(coding: string, first: Buffer): Transform {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip();
    case 'deflate':
      // RFC 9110 says zlib format; some servers send the bare deflate stream. The zlib header's low nibble is 8.
      return ((first[0] ?? 0) & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw();
    case 'br':
      return zlib.createBrotliDecompress();
    case 'zstd':
      return zlib.createZstdDecompress();
    default:
      throw new NetError('protocol', `the body is encoded as '${short(coding, 40)}', which was not asked for`, {
        encoding: short(coding, 40),
      });
  }
}

function tooLarge(limit: number): NetError {
  return new NetError(
    'too-large',
    `the body is larger than the limit of ${limit} bytes; allow more, or ask for a part`,
    {
      limit,
    },
  );
}
