// Revision 2025-03-26: the only one with JSON-RPC batches; streamable HTTP and audio appear. No resource links yet.
import { linkAsText, mapBlocks, objectOutput, objectStructure } from '../legacy/blocks.ts';
import type { LegacyRevision } from '../legacy/revision.ts';

export const rev20250326: LegacyRevision = {
  version: '2025-03-26',
  batches: true,
  tools: objectOutput,
  result: (value) => mapBlocks(objectStructure(value), linkAsText),
};
