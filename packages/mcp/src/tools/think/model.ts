// One question to a model, through the plane. Without a key nothing is sent.
import { ToolError } from '@hanzo/tool';
import { askPlane, needKey, type PlaneAnswer, planeBase, reasonIn, record } from '../../lib/plane.ts';
import type { Ctx } from '../../local.ts';

/** The plane chooses. */
export const AUTO = 'enso-auto';
const TIMEOUT_MS = 120_000;

export interface Question {
  readonly prompt: string;
  readonly system?: string | undefined;
  readonly model?: string | undefined;
  readonly maxTokens?: number | undefined;
}

/** The model's text. NO_CREDENTIAL without a key; HTTP_ERROR where the plane refuses, cannot be asked, or answers no text. */
export async function askModel(ctx: Ctx, { prompt, system, model, maxTokens }: Question): Promise<string> {
  const answer = await post(ctx, '/v1/chat/completions', {
    model: model ?? AUTO,
    max_tokens: maxTokens ?? 1000,
    messages: [
      ...(system === undefined ? [] : [{ role: 'system', content: system }]),
      { role: 'user', content: prompt },
    ],
  });
  const choices = answer?.get('choices');
  const message = Array.isArray(choices) ? record(record(choices[0])?.get('message')) : undefined;
  const content = message?.get('content');
  if (typeof content !== 'string') throw failed('the answer holds no text', {});
  return content;
}

/** The vector of a text. */
export async function embedText(ctx: Ctx, text: string, model: string | undefined): Promise<readonly number[]> {
  const answer = await post(ctx, '/v1/embeddings', { model: model ?? AUTO, input: text });
  const data = answer?.get('data');
  const vector = Array.isArray(data) ? record(data[0])?.get('embedding') : undefined;
  if (!Array.isArray(vector) || vector.some((each) => typeof each !== 'number')) {
    throw failed('the answer holds no vector', {});
  }
  return vector as number[];
}

async function post(ctx: Ctx, path: string, body: unknown): Promise<ReadonlyMap<string, unknown> | undefined> {
  const key = needKey(`think ${ctx.action}`);
  let answer: PlaneAnswer;
  try {
    answer = await askPlane(ctx.env.config, key, { path, body, timeoutMs: TIMEOUT_MS, signal: ctx.signal });
  } catch (error) {
    throw failed(`${planeBase()} could not be asked: ${(error as Error).message}`, {});
  }
  const { status } = answer;
  if (status < 200 || status > 299) {
    const reason = reasonIn(answer.body);
    throw failed(`the plane answered ${status}${reason === '' ? '' : `: ${reason}`}`, { status });
  }
  try {
    return record(JSON.parse(answer.body));
  } catch {
    throw failed('the plane sent something that is not JSON', {});
  }
}

function failed(message: string, details: Record<string, unknown>): ToolError {
  return new ToolError('HTTP_ERROR', message, details);
}
