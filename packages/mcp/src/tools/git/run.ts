// One git process: argv in, bytes out, and every way it can fail as an error a person can act on.
import process from 'node:process';
import { type ErrorCode, shorten, ToolError } from '@hanzo/tool';
import { run } from '../../lib/run.ts';
import type { Ctx } from '../../local.ts';
import { ALWAYS, environment, type Override, READING, TRANSPORTS } from './environment.ts';

/** Milliseconds a command may take, and those that talk to a network or run the user's hooks. */
const LIMIT = 30_000;
export const LONG_LIMIT = 600_000;

/** Most bytes of one answer of git that are held in memory. */
export const MAX_BYTES = 32 * 1024 * 1024;

export interface GitOptions {
  /** `read` (default) runs no hook, no transport and no program the repository names; `write` is git as its user knows it */
  readonly mode?: 'read' | 'write';
  readonly input?: string | Uint8Array;
  readonly timeoutMs?: number;
  /** exit codes besides 0 that are an answer and not a failure */
  readonly accept?: readonly number[];
  /** goes on although the call was cancelled: for putting back what it began */
  readonly unbound?: boolean;
  /** further environment */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface GitOutput {
  readonly code: number;
  readonly bytes: Buffer;
  /** standard output as UTF-8; bytes that are not become U+FFFD */
  readonly text: string;
  /** standard error without git's hints, secrets in urls blotted out */
  readonly said: string;
  /** output went past MAX_BYTES */
  readonly truncated: boolean;
}

/** Runs git in `cwd`. Rejects with a ToolError for any exit code but 0 and those in `accept`. */
export async function runGit(
  ctx: Ctx,
  cwd: string,
  args: readonly string[],
  options: GitOptions = {},
  overrides: readonly Override[] = [],
): Promise<GitOutput> {
  const reading = options.mode !== 'write';
  const timeoutMs = options.timeoutMs ?? LIMIT;
  const result = await run(['git', ...args], {
    cwd,
    env: {
      ...environment(process.env, [...(reading ? READING : ALWAYS), ...overrides], reading ? 'none' : TRANSPORTS),
      ...(reading ? { GIT_OPTIONAL_LOCKS: '0' } : {}),
      ...options.env,
    },
    ...(options.input === undefined ? {} : { input: options.input }),
    timeoutMs,
    maxBytes: MAX_BYTES,
    ...(options.unbound ? {} : { signal: ctx.signal }),
  });
  const verb = args.find((each) => !each.startsWith('-')) ?? '';
  if (result.timedOut) {
    throw new ToolError('TIMEOUT', `git ${verb} took longer than ${timeoutMs / 1000} s and was stopped`, {
      timeout_ms: timeoutMs,
    });
  }
  const said = tidy(result.stderr.toString('utf8'));
  const text = result.stdout.toString('utf8');
  if (result.code === null) {
    throw new ToolError('INTERNAL_ERROR', `git ${verb} was ended by ${result.signal ?? 'a signal'}`);
  }
  if (result.code !== 0 && reading && ELSEWHERE.test(said)) {
    throw new ToolError(
      'NOT_FOUND',
      'this is a partial clone and what was asked for is not here yet; reading does not use the network, so get it first, for example with checkout or by fetching with exec',
      { exit_code: result.code },
    );
  }
  if (result.code !== 0 && !options.accept?.includes(result.code)) throw failed(verb, result.code, said, text);
  return { code: result.code, bytes: result.stdout, text, said, truncated: result.truncated };
}

/** What git's own words come to, first match wins. Messages are git's in the C locale. */
const MEANINGS: readonly (readonly [RegExp, ErrorCode])[] = [
  [/^fatal: (command line, '|invalid --pretty format|invalid regex)/m, 'INVALID_PARAMS'],
  [/not a git repository|must be run in a work tree|this operation must be run in/i, 'NOT_FOUND'],
  [/dubious ownership|permission denied|read-only file system/i, 'PERMISSION_DENIED'],
  [/could not read (username|password)|terminal prompts disabled|authentication failed|publickey/i, 'NO_CREDENTIAL'],
  [/transport '.*' not allowed/i, 'PERMISSION_DENIED'],
  [
    /conflict|overwritten|already exists|\.lock|unmerged|not fully merged|is already |in progress|unstaged|uncommitted|untracked|modified|not possible|diverg|rejected|patch failed|does not apply|no changes|nothing to commit|cannot switch|needs merge|is now empty|stale info|reconcile|would be lost|checked out at|used by worktree/i,
    'CONFLICT',
  ],
  [
    /unknown revision|bad revision|did not match|does not exist|no such|not found|not a valid|invalid reference|couldn't find|no stash|does not have any commits|not a commit|not a working tree|no names found|nothing to describe|repository .* does not/i,
    'NOT_FOUND',
  ],
];

/** The words of git where a read would have to fetch an object first: reads use no transport (`GIT_ALLOW_PROTOCOL=none`). */
const ELSEWHERE = /transport '.*' not allowed|could not fetch [0-9a-f]+ from promisor/;

/** The error for a git that ended with `code`: git's own words, and the code they mean. */
export function failed(verb: string, code: number, said: string, text = ''): ToolError {
  const words = shorten(said || tidy(text) || `git ${verb} ended with exit code ${code}`, 2000);
  const meaning = MEANINGS.find(([pattern]) => pattern.test(words))?.[1] ?? 'EXIT';
  return new ToolError(meaning, words, { command: `git ${verb}`, exit_code: code });
}

/** git's message without hints for people at a terminal, without carriage returns, without passwords. */
export function tidy(message: string): string {
  const lines = message.split('\n').map((line) => line.slice(line.lastIndexOf('\r', line.length - 2) + 1).trimEnd());
  return redact(lines.filter((line) => !line.startsWith('hint:')).join('\n')).trim();
}

/** Blots out the password of every url in `text`, and a lone user part that looks like a token. */
export function redact(text: string): string {
  return text
    .replaceAll(/([a-z][a-z0-9+.-]*:\/\/)([^/\s:@]*):([^/\s@]*)@/gi, '$1$2:***@')
    .replaceAll(/(https?:\/\/)([^/\s:@]{16,})@/gi, '$1***@');
}
