// Actions that ask a model, and what each asks it.
import { type ActionResult, clip, shorten, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { act, type Ctx } from '../../local.ts';
import { keep } from './journal.ts';
import { AUTO, askModel, embedText, type Question } from './model.ts';
import { about, bodied, text } from './notes.ts';

const MOST_MODELS = 8;
const MOST_STEPS = 10;
const MOST_TEXTS = 10;

const model = z.string().min(1).max(200).optional();
const max_tokens = z.int().min(1).max(100_000).optional();

/** Asks, keeps, and gives the answer as the body. */
async function answered(
  ctx: Ctx,
  asked: { readonly text: string; readonly about?: number | undefined },
  question: Question,
): Promise<ActionResult> {
  const answer = await askModel(ctx, question);
  return kept(ctx, asked, answer, { model: question.model ?? AUTO });
}

async function kept(
  ctx: Ctx,
  asked: { readonly text: string; readonly about?: number | undefined },
  answer: string,
  data: Record<string, unknown>,
): Promise<ActionResult> {
  const id = await keep(ctx, { action: ctx.action, text: asked.text, answer, about: asked.about });
  const { text: shown, rest } = clip(answer, ctx.maxOutput, ctx.env.config.jsonOnly ? 'json' : 'plain');
  return bodied(ctx, { ...(id === undefined ? {} : { id }), ...data, ...(rest > 0 ? { cut: rest } : {}) }, shown);
}

export const agent = act({
  summary: 'a task for a model',
  input: z.strictObject({ text, about, system: z.string().max(20_000).optional(), model, max_tokens }),
  effect: 'network',
  run: (ctx, input) =>
    answered(ctx, input, {
      prompt: input.text,
      system: input.system,
      model: input.model,
      maxTokens: input.max_tokens,
    }),
});

export const consensus = act({
  summary: 'a question to several models',
  input: z.strictObject({
    text,
    about,
    models: z.array(z.string().min(1).max(200)).min(1).max(MOST_MODELS).optional(),
    max_tokens,
  }),
  effect: 'network',
  async run(ctx, input): Promise<ActionResult> {
    const models = [...new Set(input.models ?? [AUTO])];
    const settled = await Promise.allSettled(
      models.map((each) => askModel(ctx, { prompt: input.text, model: each, maxTokens: input.max_tokens })),
    );
    const sections: string[] = [];
    const failures: { model: string; reason: string }[] = [];
    for (const [index, result] of settled.entries()) {
      const name = models[index] as string;
      if (result.status === 'fulfilled') sections.push(`## ${name}\n\n${result.value.trim()}`);
      else failures.push({ model: name, reason: shorten(String((result.reason as Error).message), 200) });
    }
    const [first] = settled;
    // nobody answered: the first reason is everybody's, or as good as any
    if (sections.length === 0 && first?.status === 'rejected') throw first.reason as Error;
    return kept(ctx, input, sections.join('\n\n'), {
      answered: sections.length,
      ...(failures.length > 0 ? { failures } : {}),
    });
  },
});

export const summarize = act({
  summary: 'shorten a text by a model',
  input: z.strictObject({
    text,
    max_length: z.int().min(10).max(5000).default(100).describe('words'),
    format: z.enum(['paragraph', 'bullets']).default('paragraph'),
    model,
  }),
  effect: 'network',
  run: (ctx, input) =>
    answered(ctx, input, {
      prompt: input.text,
      system: `Summarize the user's text in at most ${input.max_length} words${input.format === 'bullets' ? ', as a bulleted list' : ''}. Answer with the summary alone.`,
      model: input.model,
    }),
});

export const classify = act({
  summary: 'put a text into one of several categories by a model',
  input: z.strictObject({ text, categories: z.array(z.string().min(1).max(200)).min(2).max(50), model }),
  effect: 'network',
  async run(ctx, input): Promise<ActionResult> {
    const answer = await askModel(ctx, {
      prompt: input.text,
      system: `Put the user's text into exactly one of these categories: ${JSON.stringify(input.categories)}. Answer with one JSON object {"category": string, "confidence": number from 0 to 1, "reasoning": one sentence} and nothing else.`,
      model: input.model,
    });
    const said = objectIn(answer);
    const category = said?.['category'];
    if (typeof category !== 'string' || !input.categories.includes(category)) {
      throw new ToolError('HTTP_ERROR', `the model named none of the categories: ${shorten(answer, 200)}`, {});
    }
    const { confidence, reasoning } = said ?? {};
    const id = await keep(ctx, { action: ctx.action, text: input.text, answer });
    return {
      data: {
        ...(id === undefined ? {} : { id }),
        category,
        ...(typeof confidence === 'number' ? { confidence } : {}),
        ...(typeof reasoning === 'string' ? { reasoning: shorten(reasoning, 500) } : {}),
      },
    };
  },
});

export const explain = act({
  summary: 'explain a text or code by a model',
  input: z.strictObject({ text, language: z.string().max(60).optional(), model }),
  effect: 'network',
  run: (ctx, input) =>
    answered(ctx, input, {
      prompt: input.text,
      system: `Explain the user's text or code to a competent engineer: what it does, why, and what is easily overlooked.${input.language === undefined ? '' : ` It is ${input.language}.`}`,
      model: input.model,
    }),
});

export const translate = act({
  summary: 'translate a text by a model',
  input: z.strictObject({ text, language: z.string().min(1).max(60), model }),
  effect: 'network',
  run: (ctx, input) =>
    answered(ctx, input, {
      prompt: input.text,
      system: `Translate the user's text into ${input.language}. Answer with the translation alone; leave code, names and markup as they are.`,
      model: input.model,
    }),
});

export const compare = act({
  summary: 'compare texts by a model',
  input: z.strictObject({ texts: z.array(text).min(2).max(MOST_TEXTS), model }),
  effect: 'network',
  run: (ctx, input) => {
    const prompt = input.texts.map((each, index) => `## Text ${index + 1}\n\n${each}`).join('\n\n');
    return answered(
      ctx,
      { text: prompt },
      {
        prompt,
        system: 'Compare the texts: what they share, where they differ, and which differences matter.',
        model: input.model,
      },
    );
  },
});

export const chain = act({
  summary: 'prompts one after another, each seeing the answer before it',
  input: z.strictObject({
    steps: z
      .array(z.strictObject({ prompt: text, model }))
      .min(1)
      .max(MOST_STEPS),
  }),
  effect: 'network',
  async run(ctx, input): Promise<ActionResult> {
    const answers: string[] = [];
    for (const [index, step] of input.steps.entries()) {
      const before = answers.at(-1);
      const prompt =
        before === undefined ? step.prompt : `${step.prompt}\n\nThe answer to the step before:\n\n${before}`;
      try {
        answers.push(await askModel(ctx, { prompt, model: step.model }));
      } catch (error) {
        if (index === 0) throw error;
        throw new ToolError('HTTP_ERROR', `step ${index + 1} of ${input.steps.length}: ${(error as Error).message}`, {
          step: index + 1,
        });
      }
    }
    const whole = answers.map((each, index) => `## Step ${index + 1}\n\n${each.trim()}`).join('\n\n');
    return kept(ctx, { text: input.steps.map(({ prompt }) => prompt).join('\n') }, whole, { steps: answers.length });
  },
});

export const embed = act({
  summary: 'the size and the first numbers of a text’s vector',
  input: z.strictObject({ text, model }),
  effect: 'network',
  async run(ctx, input): Promise<ActionResult> {
    const vector = await embedText(ctx, input.text, input.model);
    return { data: { dimensions: vector.length, first: vector.slice(0, 8) } };
  },
});

/** The first JSON object of an answer: models like to wrap it. */
function objectIn(answer: string): Readonly<Record<string, unknown>> | undefined {
  const from = answer.indexOf('{');
  const to = answer.lastIndexOf('}');
  if (from < 0 || to < from) return undefined;
  try {
    return JSON.parse(answer.slice(from, to + 1)) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
