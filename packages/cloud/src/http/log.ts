// Logs: one JSON object a line, on standard error unless said otherwise. What looks like a secret is never written.
import process from 'node:process';

export type Level = 'debug' | 'info' | 'warn' | 'error';

export interface Logger {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

export interface LoggerOptions {
  /** default `info` */
  readonly level?: Level;
  readonly write?: (line: string) => void;
  /** milliseconds since 1970 */
  readonly now?: () => number;
}

export const LEVELS: readonly Level[] = ['debug', 'info', 'warn', 'error'];
const SECRET_NAME = /authorization|cookie|password|passwd|secret|token|credential|api[-_]?key|^key$|^kek$|private/i;
/** Keys of ours, JSON Web Tokens, what follows Bearer, and the password of a URL. */
const SECRET_TEXT =
  /\b[sp]k-[A-Za-z0-9_-]{8,}|\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*|(?<=\bbearer\s+)[^\s"',]+|(?<=\/\/[^/\s:@]*:)[^/\s@]+(?=@)/gi;
const LONGEST = 4000;
const DEEPEST = 6;

/** Makes a logger. It never throws: a log must not fail what it tells of. */
export function createLogger({ level = 'info', write = toStderr, now = Date.now }: LoggerOptions = {}): Logger {
  const least = LEVELS.indexOf(level);
  const at =
    (each: Level) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
      if (LEVELS.indexOf(each) < least) return;
      const safe = clean(fields, 0) as Record<string, unknown>;
      write(JSON.stringify({ time: new Date(now()).toISOString(), level: each, message: cleanText(message), ...safe }));
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function toStderr(line: string): void {
  process.stderr.write(`${line}\n`);
}

function cleanText(text: string): string {
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return cut.replace(SECRET_TEXT, '[secret]');
}

function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEEPEST) return '…';
  if (value instanceof Error) {
    const { name, message, stack, cause } = value;
    const code: unknown = 'code' in value ? value.code : undefined;
    return clean({ name, message, code, stack: stack?.split('\n').slice(1, 8).join('\n'), cause }, depth + 1);
  }
  if (value instanceof Uint8Array) return `${value.byteLength} bytes`;
  if (Array.isArray(value)) return value.slice(0, 100).map((each) => clean(each, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      SECRET_NAME.test(key) && typeof each === 'string' ? '[secret]' : clean(each, depth + 1),
    ]),
  );
}
