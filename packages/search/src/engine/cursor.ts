// Places in a list as text. A cursor names its list, so that a caller notices when the tree has changed since.
import type { Found } from '../types.ts';

/** A cursor for the hit at `offset`. */
export function cursorOf(found: Pick<Found, 'id'>, offset: number): string {
  return `${found.id}.${offset}`;
}

/** What a cursor says; undefined if it is none. Where `id` is not that of the list at hand, the list is another now. */
export function readCursor(text: string): { readonly id: string; readonly offset: number } | undefined {
  const parts = /^([0-9a-f]{16})\.(0|[1-9]\d{0,14})$/.exec(text);
  return parts ? { id: parts[1]!, offset: Number(parts[2]) } : undefined;
}
