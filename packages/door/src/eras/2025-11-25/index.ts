// Revision 2025-11-25: the newest that begins with `initialize`.
import { objectOutput, objectStructure } from '../legacy/blocks.ts';
import type { LegacyRevision } from '../legacy/revision.ts';

export const rev20251125: LegacyRevision = {
  version: '2025-11-25',
  batches: false,
  tools: objectOutput,
  result: objectStructure,
};
