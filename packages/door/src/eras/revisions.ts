// Every protocol revision this door speaks, newest first.
import { rev20241105 } from './2024-11-05/index.ts';
import { rev20250326 } from './2025-03-26/index.ts';
import { rev20250618 } from './2025-06-18/index.ts';
import { rev20251125 } from './2025-11-25/index.ts';
import type { LegacyRevision } from './legacy/revision.ts';

/** Revisions without a handshake; what `server/discover` lists and -32022 offers. */
export const MODERN_VERSIONS: readonly string[] = ['2026-07-28'];

/** Revisions that begin with `initialize`, newest first. */
export const LEGACY_REVISIONS: readonly LegacyRevision[] = [rev20251125, rev20250618, rev20250326, rev20241105];

/** What `initialize` answers where the client names a revision nobody here speaks, or none. */
export const NEWEST_LEGACY: LegacyRevision = rev20251125;

/** What an HTTP request without a version header means (specification 2025-06-18, transports). */
export const ASSUMED_LEGACY: LegacyRevision = rev20250326;

export function legacyRevision(version: unknown): LegacyRevision | undefined {
  return LEGACY_REVISIONS.find((each) => each.version === version);
}

/** Whether a version names the era without a handshake, known to us or not: a date not before its first revision. */
export function isModernVersion(version: string): boolean {
  return MODERN_VERSIONS.includes(version) || (/^\d{4}-\d{2}-\d{2}$/.test(version) && version >= '2026-07-28');
}
