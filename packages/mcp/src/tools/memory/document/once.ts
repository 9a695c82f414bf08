// The JSON file of earlier versions, put into the tables.
import type { TakeOver } from '../../../lib/document/keeper.ts';
import { absorb } from './absorb.ts';
import { parseDocument } from './parse.ts';

export const takeOver: TakeOver = async (db, document, once) => {
  const parsed = parseDocument(document);
  const done = await absorb(db, parsed, once);
  return done && { what: `${done.imported} entries and ${done.facts} facts`, problems: parsed.problems };
};
