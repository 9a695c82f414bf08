// AES-256-GCM with what a value belongs to as associated data: it opens in its own place only.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Of the form, so that another can follow; NIST SP 800-38D: 96-bit random nonces, fewer than 2^32 for one key. */
const FORM = 1;
const NONCE = 12;
const TAG = 16;

/** `parts` in one unambiguous text. */
function associated(parts: readonly (string | number)[]): Buffer {
  return Buffer.from(JSON.stringify(parts));
}

/** form, nonce, tag, ciphertext */
export function seal(key: Uint8Array, value: Uint8Array, parts: readonly (string | number)[]): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG });
  cipher.setAAD(associated(parts));
  const body = Buffer.concat([cipher.update(value), cipher.final()]);
  return Buffer.concat([Buffer.of(FORM), nonce, cipher.getAuthTag(), body]);
}

/** Throws an Error for another key, other `parts`, or bytes that were changed. */
export function unseal(key: Uint8Array, sealed: Uint8Array, parts: readonly (string | number)[]): Buffer {
  if (sealed.length < 1 + NONCE + TAG || sealed[0] !== FORM) throw new Error('the sealed value is not of a known form');
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + NONCE), { authTagLength: TAG });
  decipher.setAAD(associated(parts));
  decipher.setAuthTag(sealed.subarray(1 + NONCE, 1 + NONCE + TAG));
  return Buffer.concat([decipher.update(sealed.subarray(1 + NONCE + TAG)), decipher.final()]);
}
