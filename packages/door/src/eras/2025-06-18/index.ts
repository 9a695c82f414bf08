// Revision 2025-06-18: structured content, resource links and elicitation appear; batches go.
import { objectOutput, objectStructure } from '../legacy/blocks.ts';
import type { LegacyRevision } from '../legacy/revision.ts';

export const rev20250618: LegacyRevision = {
  version: '2025-06-18',
  batches: false,
  tools: objectOutput,
  result: objectStructure,
};
