// The think tool: a journal of thoughts with checklists, and questions to models through the plane.
import { defineTool } from '@hanzo/tool';
import type { Local } from '../../local.ts';
import { agent, chain, classify, compare, consensus, embed, explain, summarize, translate } from './ask.ts';
import { critic, get, list, review, thinkAction } from './notes.ts';

export const think = defineTool<Local>({
  name: 'think',
  title: 'Think',
  summary: 'Keeps thoughts and checks them; agent to embed ask a model (HANZO_API_KEY).',
  actions: {
    think: thinkAction,
    critic,
    review,
    list,
    get,
    agent,
    consensus,
    summarize,
    classify,
    explain,
    translate,
    compare,
    chain,
    embed,
  },
  // contract, local core tools 5.9: each runtime calls the text by another name
  aliases: {
    thought: 'text',
    question: 'text',
    task: 'text',
    content: 'text',
    analysis: 'text',
    topic: 'text',
    goal: 'text',
    code: 'text',
    maxTokens: 'max_tokens',
    maxLength: 'max_length',
    targetLanguage: 'language',
  },
});
