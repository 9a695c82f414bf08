// From what SQLite answers to what a caller can act on.
import { ToolError } from '@hanzo/tool';
import { toUri } from '../path.ts';

/** Primary result codes (https://www.sqlite.org/rescode.html). */
const PERM = 3;
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const PROTOCOL = 15;
const TOOBIG = 18;
const NOTADB = 26;

/** The primary result code of an error of SQLite's; undefined for any other. */
function codeOf(error: unknown): number | undefined {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' ? errcode & 0xff : undefined;
}

/** Others hold the database; it will pass. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return code === BUSY || code === LOCKED || code === PROTOCOL;
}

/** What is in the file is not what SQLite wrote there. */
export function isDamage(error: unknown): boolean {
  const code = codeOf(error);
  return code === CORRUPT || code === NOTADB;
}

/** The ToolError for a failure on the database `file`; what is none of SQLite's passes through. */
export function explain(error: unknown, file: string): unknown {
  const details = { uri: toUri(file) };
  const { code, message } = error as NodeJS.ErrnoException;
  switch (codeOf(error)) {
    case BUSY:
    case LOCKED:
    case PROTOCOL:
      return new ToolError('TIMEOUT', `other processes held ${file} for too long; try again`, details);
    case PERM:
    case READONLY:
      return new ToolError('PERMISSION_DENIED', `${file} cannot be written; make it and its folder writable`, details);
    case CANTOPEN:
      return new ToolError(
        'PERMISSION_DENIED',
        `${file} cannot be opened (${message}); is its folder there, and writable?`,
        details,
      );
    case FULL:
      return full(file, details);
    case IOERR:
      return new ToolError(
        'INTERNAL_ERROR',
        `the disk failed under ${file} (${message}); nothing was changed`,
        details,
      );
    case TOOBIG:
      return new ToolError('INVALID_PARAMS', 'this is more than one row can hold', {});
    case undefined:
      break;
    default:
      return new ToolError('INTERNAL_ERROR', `${file}: ${message}`, details);
  }
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new ToolError(
        'PERMISSION_DENIED',
        `${file} cannot be made or opened (${code}); make its folder writable, or start with --access read-only to read what is there`,
        details,
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return full(file, details);
    case 'EEXIST':
    case 'ENOTDIR':
      return new ToolError('CONFLICT', `no folder can be made for ${file}: a file is in the way`, details);
    default:
      return error;
  }
}

function full(file: string, details: { uri: string }): ToolError {
  return new ToolError('INTERNAL_ERROR', `no space left for ${file}; nothing was changed`, details);
}
