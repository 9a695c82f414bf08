// The one database of the tools that keep something: opened on first use, closed with its host.
import path from 'node:path';
import { ToolError } from '@hanzo/tool';
import type { Database } from './database.ts';
import type { Store } from './types.ts';

export type { Db, Row, Store, Tables, Tx, Value } from './types.ts';

export interface StoreOptions {
  readonly dataDir: string;
  readonly readOnly?: boolean;
}

/** Makes the store of a server. Nothing is opened, loaded or made on the disk before the first `open`. */
export function createStore({ dataDir, readOnly = false }: StoreOptions): Store {
  const file = path.join(dataDir, 'db', 'store.db');
  let opened: Promise<Database> | undefined;
  let closed = false;
  return {
    file,
    readOnly,
    async open(tables) {
      if (closed) throw new ToolError('INTERNAL_ERROR', 'this server is ending; its store is closed');
      opened ??= import('./database.ts').then(({ openDatabase }) => openDatabase({ file, readOnly }));
      return (await opened).use(tables);
    },
    async close() {
      closed = true;
      await opened?.then((database) => database.close());
    },
  };
}
