// What travels: the blocks of an MCP result, and the plain value an action returns before it is put on the wire.

/** MCP content blocks (specification 2026-07-28, unchanged since 2025-06-18). */
export type ContentBlock =
  | { type: 'text'; text: string }
  | { type: 'image'; data: string; mimeType: string }
  | { type: 'audio'; data: string; mimeType: string }
  | { type: 'resource'; resource: ResourceContents }
  | { type: 'resource_link'; uri: string; name: string; description?: string; mimeType?: string };

export type ResourceContents = { uri: string; mimeType?: string } & ({ text: string } | { blob: string });

/** A finished tool call in MCP form. */
export interface CallResult {
  content: ContentBlock[];
  isError?: boolean;
  structuredContent?: unknown;
  _meta?: Record<string, unknown>;
}

/**
 * Something too large or too raw for JSON: it becomes a content block of its own after the envelope, and the envelope
 * names it as `data.<key>: {block: <index>}`. An empty text is written into the envelope as `""`.
 */
export type Body =
  | { kind: 'text'; key: string; text: string }
  | { kind: 'image'; key: string; /** base64 */ data: string; mimeType: string };

/** Where the rest of an answer is. `cursor` is opaque to the caller; null means nothing follows. */
export interface Paging {
  cursor: string | null;
  more: boolean;
  total?: number;
}

/** What an action returns. `paging` appears as `data.paging` and is mirrored in `meta.paging`. */
export interface ActionResult {
  data: Record<string, unknown>;
  bodies?: readonly Body[];
  paging?: Paging;
  /** further keys of `meta` (for example `backend`) */
  meta?: Record<string, unknown>;
}
