// The body of a POST: of the right type, bounded, strict UTF-8, JSON.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { CODES, RpcError } from '../core/rpc.ts';

/** Milliseconds and bytes a client gets to finish sending a body that was refused, so that it can read why. */
const REFUSED_TIME = 2000;
const REFUSED_BYTES = 64 * 1024 * 1024;

/** Reads and parses the body. Throws 415, 413 or 400, each as an RpcError. */
export async function readJson(request: IncomingMessage, max: number): Promise<unknown> {
  const { 'content-type': type = '', 'content-encoding': encoding, 'content-length': length } = request.headers;
  if (type.split(';', 1)[0]?.trim().toLowerCase() !== 'application/json') {
    throw new RpcError(CODES.refused, 'Content-Type must be application/json', { status: 415 });
  }
  if (encoding !== undefined && encoding !== 'identity') {
    throw new RpcError(CODES.refused, 'A compressed body is not accepted', { status: 415 });
  }
  if (Number(length) > max) throw tooLarge(max);
  const bytes = await readBytes(request, max);
  if (!isUtf8(bytes)) throw new RpcError(CODES.parse, 'Parse error: the body is not UTF-8', { status: 400 });
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new RpcError(CODES.parse, 'Parse error: the body is not JSON', { status: 400 });
  }
}

function readBytes(request: IncomingMessage, max: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    const onData = (part: Buffer): void => {
      size += part.length;
      if (size <= max) return void parts.push(part);
      request.removeListener('data', onData);
      reject(tooLarge(max));
    };
    request.on('data', onData);
    request.once('end', () => resolve(Buffer.concat(parts)));
    request.once('error', reject);
    request.once('close', () => reject(new Error('the client is gone')));
  });
}

function tooLarge(max: number): RpcError {
  return new RpcError(CODES.refused, `The body is larger than ${max} bytes`, { status: 413 });
}

/** Lets a client that is still sending finish and read its refusal, within bounds. */
export function discard(request: IncomingMessage): void {
  let size = 0;
  const cut = (): void => void request.destroy();
  const timer = setTimeout(cut, REFUSED_TIME);
  timer.unref();
  request.on('data', (part: Buffer) => {
    size += part.length;
    if (size > REFUSED_BYTES) cut();
  });
  request.once('close', () => clearTimeout(timer));
  request.once('end', () => clearTimeout(timer));
  request.on('error', () => {});
}
