// The official SDK's clients of both generations, over both transports, behind one small interface for the tests.
import process from 'node:process';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { PROGRAM } from './program.ts';

const INFO = { name: 'conformance-client', version: '1.0.0' };
const CAPABILITIES = { sampling: {}, elicitation: {}, roots: {} };

/** A server to connect to: how to start it for stdio, and where it listens for HTTP. */
export interface Target {
  /** arguments of `hanzo-mcp serve` */
  args: readonly string[];
  cwd: string;
  /** its data folder */
  home: string;
  url: string;
  /** the bearer token of the HTTP endpoint; undefined where it asks for none */
  token?: string | undefined;
}

/** What the tests need of either client. */
export interface Peer {
  /** the protocol revision that was agreed on */
  readonly revision: string | undefined;
  /** messages of `notifications/message` and names of changed lists, as they came */
  readonly heard: readonly string[];
  /**
   * Every message from the server, as it came off the transport. The clients hand a notification on a turn later than a
   * result, so what they report may lose the last progress before it.
   */
  readonly wire: readonly Message[];
  tools(): Promise<string[]>;
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<Result>;
  /** the texts of a prompt's messages */
  prompt(name: string, args?: Record<string, string>): Promise<string[]>;
  /** the text of a resource */
  read(uri: string): Promise<string | undefined>;
  complete(prompt: string, argument: string, value: string): Promise<string[]>;
  /** asks to hear log messages, and changes of the lists of tools and prompts */
  listen(): Promise<void>;
  close(): Promise<void>;
}

export interface Message {
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
}

export interface CallOptions {
  /** the client asks for progress */
  progress?: boolean;
  /** aborted when the client gives the call up */
  signal?: AbortSignal;
}

export interface Result {
  isError: boolean;
  /** the text of each block; empty for a block without text */
  texts: string[];
}

/** Every client over every transport, with the revision it must come to. */
export const PEERS: readonly { name: string; revision: string; connect: (target: Target) => Promise<Peer> }[] = [
  {
    name: 'the v1 client over stdio',
    revision: '2025-11-25',
    connect: (target) => connectLegacy(new LegacyStdio(stdio(target))),
  },
  {
    name: 'the v1 client over HTTP',
    revision: '2025-11-25',
    connect: (target) => connectLegacy(new LegacyHttp(new URL(target.url), credentials(target))),
  },
  {
    name: 'the v2 client over stdio',
    revision: '2026-07-28',
    connect: (target) => connectModern(new ModernStdio(stdio(target))),
  },
  {
    name: 'the v2 client over HTTP',
    revision: '2026-07-28',
    connect: (target) => connectModern(new ModernHttp(new URL(target.url), credentials(target))),
  },
];

function stdio({ args, cwd, home }: Target): {
  command: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  stderr: 'ignore';
} {
  return {
    command: process.execPath,
    args: [PROGRAM, 'serve', ...args],
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HANZO_CONFIG_HOME: home },
    stderr: 'ignore',
  };
}

function credentials({ token }: Target): { requestInit?: RequestInit } {
  return token === undefined ? {} : { requestInit: { headers: { Authorization: `Bearer ${token}` } } };
}

/** What the person, the model and the editor behind the client answer. */
const sampled = { role: 'assistant' as const, model: 'test', content: { type: 'text' as const, text: 'Paris' } };
const rootList = { roots: [{ uri: 'file:///test/root', name: 'Test Root' }] };
function filledIn(schema: unknown): { action: 'accept'; content: Record<string, string | boolean> } {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> };
  const values = Object.entries(properties).map(([key, { type }]) => [key, type === 'boolean' ? true : `my ${key}`]);
  return { action: 'accept', content: Object.fromEntries(values) };
}

async function connectLegacy(transport: LegacyStdio | LegacyHttp): Promise<Peer> {
  const client = new LegacyClient(INFO, { capabilities: CAPABILITIES });
  const heard: string[] = [];
  client.setRequestHandler(CreateMessageRequestSchema, async () => sampled);
  client.setRequestHandler(ListRootsRequestSchema, async () => rootList);
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) =>
    filledIn('requestedSchema' in params ? params.requestedSchema : {}),
  );
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void heard.push(String(params.data)));
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void heard.push('tools'));
  client.setNotificationHandler(PromptListChangedNotificationSchema, () => void heard.push('prompts'));

  // This client keeps the revision to itself and tells only its transport.
  let revision: string | undefined;
  const told: Transport = transport;
  const tell = told.setProtocolVersion?.bind(told);
  told.setProtocolVersion = (version): void => {
    revision = version;
    tell?.(version);
  };
  await client.connect(transport);
  return {
    ...common(client, heard),
    wire: tap(transport),
    get revision() {
      return revision;
    },
    async call(name, args, options) {
      const result = await client.callTool({ name, arguments: args }, undefined, requestOptions(options));
      return { isError: result.isError === true, texts: textsOf(result.content) };
    },
    async listen() {
      await client.setLoggingLevel('info');
    },
  };
}

async function connectModern(transport: ModernStdio | ModernHttp): Promise<Peer> {
  const settings = { capabilities: CAPABILITIES, versionNegotiation: { mode: 'auto' as const } };
  const client = new ModernClient(INFO, settings);
  const heard: string[] = [];
  client.setRequestHandler('sampling/createMessage', async () => sampled);
  client.setRequestHandler('roots/list', async () => rootList);
  client.setRequestHandler('elicitation/create', async ({ params }) =>
    filledIn('requestedSchema' in params ? params.requestedSchema : {}),
  );
  client.setNotificationHandler('notifications/message', ({ params }) => void heard.push(String(params.data)));
  client.setNotificationHandler('notifications/tools/list_changed', () => void heard.push('tools'));
  client.setNotificationHandler('notifications/prompts/list_changed', () => void heard.push('prompts'));
  await client.connect(transport);
  let meta: Record<string, unknown> | undefined;
  return {
    ...common(client, heard),
    wire: tap(transport),
    get revision() {
      return client.getNegotiatedProtocolVersion();
    },
    async call(name, args, options) {
      const params = { name, ...(args && { arguments: args }), ...(meta && { _meta: meta }) };
      const result = await client.callTool(params, requestOptions(options));
      return { isError: result.isError === true, texts: textsOf(result.content) };
    },
    async listen() {
      // In this revision a request says itself which logs it wants.
      meta = { 'io.modelcontextprotocol/logLevel': 'info' };
      await client.listen({ toolsListChanged: true, promptsListChanged: true });
    },
  };
}

function requestOptions({ progress, signal }: CallOptions = {}): { onprogress?: () => void; signal?: AbortSignal } {
  // The tests read progress off the wire.
  return { ...(progress && { onprogress: () => {} }), ...(signal && { signal }) };
}

/** Records every message of a connected transport before its client sees it. */
function tap(transport: LegacyStdio | LegacyHttp | ModernStdio | ModernHttp): Message[] {
  const messages: Message[] = [];
  const inner = transport.onmessage as ((message: unknown, ...more: unknown[]) => void) | undefined;
  const onmessage = (message: unknown, ...more: unknown[]): void => {
    messages.push(message as Message);
    inner?.(message, ...more);
  };
  Object.assign(transport, { onmessage });
  return messages;
}

/** What both clients do alike. */
function common(
  client: LegacyClient | ModernClient,
  heard: string[],
): Pick<Peer, 'heard' | 'tools' | 'prompt' | 'read' | 'complete' | 'close'> {
  return {
    heard,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async prompt(name, args) {
      const { messages } = await client.getPrompt({ name, ...(args && { arguments: args }) });
      return textsOf(messages.map(({ content }) => content));
    },
    async read(uri) {
      const [first] = (await client.readResource({ uri })).contents;
      return first && 'text' in first ? first.text : undefined;
    },
    async complete(prompt, argument, value) {
      const ref = { type: 'ref/prompt' as const, name: prompt };
      return (await client.complete({ ref, argument: { name: argument, value } })).completion.values;
    },
    close: () => client.close(),
  };
}

function textsOf(content: unknown): string[] {
  return Array.isArray(content)
    ? content.map(({ text }: { text?: unknown }) => (typeof text === 'string' ? text : ''))
    : [];
}
