// The hash every answer uses: SHA-256 over the raw bytes of the whole file.
import { createHash } from 'node:crypto';

/** `sha256:` and 64 lower-case hex digits. */
export function hashOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** A hash fed piece by piece. */
export function hasher(): { update(chunk: Uint8Array): void; digest(): string } {
  const state = createHash('sha256');
  return {
    update: (chunk) => void state.update(chunk),
    digest: () => `sha256:${state.digest('hex')}`,
  };
}

/** The canonical form of a caller's hash (case and a missing `sha256:` are forgiven), undefined if it is none. */
export function readHash(given: string): string | undefined {
  const digits = /^(?:sha256:)?([0-9a-f]{64})$/.exec(given.trim().toLowerCase())?.[1];
  return digits === undefined ? undefined : `sha256:${digits}`;
}
