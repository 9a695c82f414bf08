// Node's own SQLite, without the warning that it is experimental: nobody who calls a tool can do anything about it.
import process from 'node:process';
import type * as sqlite from 'node:sqlite';

/** The module `node:sqlite`; INTERNAL_ERROR-worthy Error on a Node built without it. */
export function loadSqlite(): typeof sqlite {
  const emit = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (/SQLite/.test(String(warning))) return;
    Reflect.apply(emit, process, [warning, ...rest]);
  }) as typeof process.emitWarning;
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emit;
  }
}
