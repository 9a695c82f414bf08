// The JSON file of earlier versions, put into the table in one transaction; what is wrong in it is mended and told.
import { isDone, setDone, type TakeOver } from '../../../lib/document/keeper.ts';
import { TABLES } from '../tables.ts';
import { absorb } from './absorb.ts';
import { parseDocument } from './json.ts';

export const takeOver: TakeOver = async (db, document, once) => {
  const mended: string[] = [];
  const { items, lastId } = parseDocument(document, (text) => void mended.push(text));
  return db.write((tx) => {
    if (isDone(tx, TABLES, once)) return undefined;
    const { imported, problems } = absorb(tx, items, true);
    // A number that was given once is not given again.
    if (!tx.get("SELECT 1 FROM sqlite_sequence WHERE name = 'tasks_item'")) {
      tx.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('tasks_item', 0)");
    }
    tx.run("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'tasks_item'", lastId);
    setDone(tx, TABLES, once);
    return { what: `${imported} tasks`, problems: [...mended, ...problems] };
  });
};
