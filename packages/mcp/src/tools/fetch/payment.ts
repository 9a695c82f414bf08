// x402: a payment goes out as X-PAYMENT; a 402 answer is data that says what would be accepted.
import { shorten, ToolError } from '@hanzo/tool';
import { headerRoom, headersOf, type Received } from './answer.ts';

/** The X-PAYMENT header of a payment: a token as it is, JSON as base64. */
export function paymentHeader(payment: string | undefined): Record<string, string> {
  if (payment === undefined) return {};
  const text = payment.trim();
  if (!text.startsWith('{')) return { 'x-payment': text };
  try {
    return { 'x-payment': Buffer.from(JSON.stringify(JSON.parse(text))).toString('base64') };
  } catch {
    throw new ToolError(
      'INVALID_PARAMS',
      "'payment' begins like JSON but is none; give valid JSON or the encoded token",
      { param: 'payment' },
    );
  }
}

const MOST_RAW = 4096;

/**
 * What a 402 asks for: `{x402_version, accepts, www_authenticate, raw_body}`, from the body (x402 version 1) or the
 * PAYMENT-REQUIRED header (version 2). `raw_body` is there only where nothing could be read from it.
 */
export function paymentRequired(received: Received, all: boolean, maxOutput: number): Record<string, unknown> {
  const body = Buffer.from(received.bytes).toString('utf8');
  const offer =
    offerOf(body) ?? offerOf(Buffer.from(received.headers.get('payment-required') ?? '', 'base64').toString('utf8'));
  const authenticate = received.headers.get('www-authenticate');
  return {
    status: 402,
    payment_required: {
      x402_version: offer?.version ?? null,
      accepts: offer?.accepts ?? [],
      ...(offer?.error === undefined ? {} : { error: offer.error }),
      ...(authenticate === null ? {} : { www_authenticate: authenticate }),
      ...(offer ? {} : { raw_body: shorten(body, MOST_RAW) }),
    },
    ...headersOf(received.headers, all, headerRoom(maxOutput)),
  };
}

interface Offer {
  readonly version: unknown;
  readonly accepts: unknown[];
  readonly error: unknown;
}

function offerOf(text: string): Offer | undefined {
  if (text.length > 65_536) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    const fields = new Map(Object.entries(value));
    const accepts: unknown = fields.get('accepts');
    if (!Array.isArray(accepts)) return undefined;
    return {
      accepts,
      version: fields.get('x402Version') ?? fields.get('x402_version') ?? null,
      error: fields.get('error'),
    };
  } catch {
    return undefined;
  }
}
