// A document that is being read, as every reader is handed it.
import { bytes, Enough, Skip } from './limits.ts';
import type { Sink } from './sink.ts';
import type { Source } from './source.ts';
import type { DocumentKind } from './types.ts';

/** Its bytes, its name, how it is reached through archives, and where what is found goes. */
export interface Opened {
  readonly source: Source;
  readonly name: string;
  /** members passed through, outermost first; empty for a file itself */
  readonly entries: readonly string[];
  readonly sink: Sink;
  /** reads a document inside this one; `is` hears its kind as soon as it is known. Throws Skip or Enough */
  nested(this: void, opened: Opened, is: (kind: DocumentKind) => void): Promise<void>;
}

/** All bytes of a document that has to be read as a whole. */
export function whole({ source, sink }: Opened): Buffer {
  const { file } = sink.limits;
  if (source.size > file) throw new Skip(`${bytes(source.size)} large; files up to ${bytes(file)} are read`);
  return source.read(0, source.size);
}

/** The reason to show for whatever a reader threw. */
export function reasonOf(error: unknown): string {
  if (error instanceof Skip || error instanceof Enough) return error.message;
  return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
}
