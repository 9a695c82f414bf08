// From whatever undici, Node or zlib throw to a NetError with a stable code.
import { NetError } from './errors.ts';

/** The NetError of a failure; an abort of `signal` explains every failure that came with it. */
export function explain(error: unknown, signal: AbortSignal): NetError {
  if (error instanceof NetError) return error;
  if (signal.aborted && signal.reason instanceof NetError) return signal.reason;
  const code = codeOf(error);
  const details = { reason: code };
  const because = error instanceof Error ? error.message : String(error);
  switch (code) {
    case 'UND_ERR_HEADERS_TIMEOUT':
      return new NetError('timeout', 'the server sent no headers in time', { ...details, phase: 'headers' }, error);
    case 'UND_ERR_BODY_TIMEOUT':
      return new NetError(
        'timeout',
        'the server stopped sending in the middle of the body',
        { ...details, phase: 'body' },
        error,
      );
    case 'UND_ERR_HEADERS_OVERFLOW':
    case 'HPE_HEADER_OVERFLOW':
      return new NetError('too-large', 'the response headers are larger than the limit', details, error);
    case 'UND_ERR_INVALID_ARG':
      return new NetError('invalid', because, details, error);
    case 'UND_ERR_DESTROYED':
    case 'UND_ERR_CLOSED':
      return new NetError('aborted', 'the client was closed', details, error);
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
    case 'ERR_STREAM_PREMATURE_CLOSE':
    case 'UND_ERR_SOCKET':
    case 'UND_ERR_ABORTED':
      return new NetError('connect', 'the server closed the connection before the answer was complete', details, error);
    default:
  }
  if (code.startsWith('HPE_'))
    return new NetError('protocol', `the server does not speak HTTP/1.1 properly (${code})`, details, error);
  if (/^(Z_|ERR_(_ERROR|BROTLI|ZSTD|ZLIB)|ZSTD_)/.test(code)) {
    return new NetError('protocol', `the body does not decode (${because})`, details, error);
  }
  if (/^E[A-Z]+$/.test(code)) return new NetError('connect', `the connection broke (${code})`, details, error);
  return new NetError('protocol', `the exchange failed: ${because}`, details, error);
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown';
}
