// One run of jq: where its input comes from, which jq it is, and what it answers.
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type ActionResult, clip, nearest, shorten, ToolError } from '@hanzo/tool';
import { toPath, toUri } from '../../lib/path.ts';
import { findProgram } from '../../lib/program.ts';
import { run } from '../../lib/run.ts';
import type { Ctx } from '../../local.ts';
import type { Outcome } from './library.ts';

/** Milliseconds a filter may take, and bytes it may answer (contract, local core tools 5.15). */
const LIMIT = 30_000;
const MAX_ANSWER = 64 * 1024 * 1024;
/** Largest file that is read. */
const MAX_INPUT = 256 * 1024 * 1024;

/** Characters of jq's own words that are passed on. */
const SAID = 1000;

export interface Query {
  readonly filter: string;
  readonly input?: string | undefined;
  readonly file?: string | undefined;
  readonly raw?: boolean | undefined;
  readonly compact?: boolean | undefined;
  readonly slurp?: boolean | undefined;
  readonly sort_keys?: boolean | undefined;
}

/**
 * Applies the filter. The answer's text is jq's output without trailing blanks. Throws INVALID_PARAMS for a bad filter or bad JSON,
 * TIMEOUT after 30 s, EXIT for a filter that fails on this input (with what it had written before).
 */
export async function filterJson(ctx: Ctx, query: Query): Promise<ActionResult> {
  const { text, source } = await readInput(ctx, query);
  const flags = [
    ...(query.raw ? ['-r'] : []),
    ...(query.compact ? ['-c'] : []),
    ...(query.slurp ? ['-s'] : []),
    ...(query.sort_keys ? ['-S'] : []),
  ];
  const filter = safeFilter(query.filter);
  const program = findProgram('jq');
  const outcome = program
    ? await byProgram(ctx, program, flags, filter, text)
    : await byLibrary(ctx, flags, filter, text);
  const output = outcome.stdout.trimEnd();
  const cut = clip(output, ctx.maxOutput);
  const result: ActionResult = {
    data: {
      ...source,
      ...(cut.rest > 0
        ? { more: `${cut.rest} of ${output.length} characters left out; narrow the filter, for example with .[N:M]` }
        : {}),
    },
    bodies: [{ kind: 'text', key: 'text', text: cut.text }],
    meta: { backend: program ? 'jq' : 'jq-wasm' },
  };
  if (outcome.code === 0) return result;
  throw failed(query.filter, outcome, result);
}

/**
 * The filter as a word that is no option: jq 1.6 knows no `--`, but a filter may begin with a blank. Modules are refused, as they
 * read files of their own choice.
 */
function safeFilter(filter: string): string {
  if (filter.includes('\0')) throw new ToolError('INVALID_PARAMS', "'filter': holds a NUL byte", { param: 'filter' });
  if (/^(?:\s|#[^\n]*\n)*(?:import|include|module)\b/.test(filter)) {
    const message = "'filter': modules (import, include) are not read here; run jq through exec";
    throw new ToolError('INVALID_PARAMS', message, { param: 'filter' });
  }
  return filter.startsWith('-') ? ` ${filter}` : filter;
}

async function readInput(ctx: Ctx, query: Query): Promise<{ text: string; source: Record<string, unknown> }> {
  if (query.input !== undefined && query.file !== undefined) {
    throw new ToolError('INVALID_PARAMS', "give 'input' (JSON text) or 'file' (a path), not both", { param: 'file' });
  }
  if (query.input !== undefined) return { text: checked(query.input, 'input'), source: {} };
  if (query.file === undefined) {
    throw new ToolError('INVALID_PARAMS', "jq needs 'input' (JSON text) or 'file' (an absolute path)", {
      param: 'input',
    });
  }
  const file = await ctx.env.access.read(toPath(query.file, ctx.env.config.cwd, 'file'));
  const found = await stat(file).catch(() => undefined);
  if (!found) throw await missing(file);
  if (!found.isFile()) throw new ToolError('NOT_FOUND', `${file} is no regular file`, { uri: toUri(file) });
  if (found.size > MAX_INPUT) {
    const message = `${file} has ${found.size} bytes, more than the ${MAX_INPUT} this tool reads; run jq through exec`;
    throw new ToolError('INVALID_PARAMS', message, { param: 'file' });
  }
  return { text: checked(await readFile(file, 'utf8'), 'file'), source: { uri: toUri(file) } };
}

/** NOT_FOUND for a file that is not there, with the nearest name beside it. */
async function missing(file: string): Promise<ToolError> {
  const folder = path.dirname(file);
  const name = nearest(path.basename(file), await readdir(folder).catch(() => []));
  const meant = name === undefined ? undefined : path.join(folder, name);
  return new ToolError('NOT_FOUND', `${file} is not there${meant ? `; did you mean ${meant}?` : ''}`, {
    uri: toUri(file),
    ...(meant ? { nearest: toUri(meant) } : {}),
  });
}

/** The text if it is JSON: one document or, as jq takes them too, several in a row. */
function checked(given: string, param: string): string {
  const text = given.startsWith('\uFEFF') ? given.slice(1) : given;
  try {
    JSON.parse(text);
    return text;
  } catch {
    try {
      for (const document of documents(text)) JSON.parse(document);
      return text;
    } catch (error) {
      throw new ToolError('INVALID_PARAMS', `'${param}' is not JSON: ${(error as Error).message}`, { param });
    }
  }
}

/** Where one document ends and the next begins, without looking closer than brackets and strings. Never empty. */
function* documents(text: string): Generator<string> {
  const token = /"(?:[^"\\]|\\.)*"?|[[\]{}]|[^\s"[\]{}]+/gs;
  let depth = 0;
  let start = -1;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    if (start < 0) start = found.index;
    if (/^[[{]/.test(found[0])) depth++;
    if (/^[\]}]/.test(found[0])) depth--;
    if (depth > 0) continue;
    yield text.slice(start, token.lastIndex);
    [depth, start] = [0, -1];
  }
  if (start >= 0 || text.trim() === '') yield text.slice(Math.max(start, 0));
}

async function byProgram(
  ctx: Ctx,
  program: string,
  flags: readonly string[],
  filter: string,
  input: string,
): Promise<Outcome> {
  const result = await run([program, ...flags, filter], {
    cwd: ctx.env.config.cwd,
    input,
    timeoutMs: LIMIT,
    maxBytes: MAX_ANSWER,
    signal: ctx.signal,
  });
  if (result.timedOut) throw tooLong();
  const stderr = result.stderr.toString();
  // jq 1.6 ends with the state of its last input, whatever failed before.
  const code = result.code === 0 && /^jq: error \(at/m.test(stderr) ? 5 : (result.code ?? 1);
  return { code, stdout: result.stdout.toString(), stderr };
}

async function byLibrary(ctx: Ctx, flags: readonly string[], filter: string, input: string): Promise<Outcome> {
  const { runLibrary } = await import('./library.ts');
  const outcome = await runLibrary({ flags, filter, input }, LIMIT, ctx.signal);
  if (!outcome) throw tooLong();
  return outcome;
}

function tooLong(): ToolError {
  return new ToolError('TIMEOUT', `the filter did not end within ${LIMIT} ms; narrow it, or run jq through exec`, {
    timeout: LIMIT,
  });
}

function failed(filter: string, outcome: Outcome, result: ActionResult): ToolError {
  const said = shorten(outcome.stderr.trim(), SAID);
  if (/compile error|syntax error/.test(said)) {
    return new ToolError('INVALID_PARAMS', `'filter' does not compile: ${said}`, {
      param: 'filter',
      filter: shorten(filter, 200),
    });
  }
  if (/parse error/.test(said))
    return new ToolError('INVALID_PARAMS', `the input is not JSON: ${said}`, { param: 'input' });
  return new ToolError('EXIT', said || `jq ended with ${outcome.code}`, { exit_code: outcome.code }, result);
}
