// Revision 2024-11-05: the first. Content is text, image or embedded resource.
import { audioAsResource, linkAsText, mapBlocks, objectOutput, objectStructure } from '../legacy/blocks.ts';
import type { LegacyRevision } from '../legacy/revision.ts';

export const rev20241105: LegacyRevision = {
  version: '2024-11-05',
  batches: false,
  tools: objectOutput,
  result: (value) => mapBlocks(objectStructure(value), (block) => audioAsResource(linkAsText(block))),
};
