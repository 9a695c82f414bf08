// One of the official SDK's clients at work, as a program: `node sdk-client.ts v1|v2 stdio|http TARGET`, where TARGET is a
// URL or a JSON array of arguments for node. Writes what it saw as one JSON object.
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const [generation, kind, target = ''] = process.argv.slice(2);
const info = { name: 'sdk-client', version: '1' };
const capabilities = { elicitation: {}, roots: {} };
const answer = { action: 'accept' as const, content: { name: 'Ada' } };
const roots = { roots: [{ uri: 'file:///somewhere', name: 'Somewhere' }] };
const command = (): { command: string; args: string[]; stderr: 'ignore' } => ({
  command: process.execPath,
  args: JSON.parse(target) as string[],
  stderr: 'ignore',
});
const authorization = { requestInit: { headers: { authorization: 'Bearer secret' } } };

async function connectOld(): Promise<OldClient> {
  const client = new OldClient(info, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, async () => answer);
  client.setRequestHandler(ListRootsRequestSchema, async () => roots);
  await client.connect(kind === 'stdio' ? new OldStdio(command()) : new OldHttp(new URL(target), authorization));
  return client;
}

async function connectNew(): Promise<NewClient> {
  const client = new NewClient(info, { capabilities, versionNegotiation: { mode: 'auto' } });
  client.setRequestHandler('elicitation/create', async () => answer);
  client.setRequestHandler('roots/list', async () => roots);
  await client.connect(kind === 'stdio' ? new NewStdio(command()) : new NewHttp(new URL(target), authorization));
  return client;
}

const client = generation === 'v1' ? await connectOld() : await connectNew();
const progress: number[] = [];
const textOf = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? '';
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (result) => textOf(result),
    (error: { code?: number }) => error.code,
  );
const call = async (name: string, args: Record<string, unknown> = {}): Promise<string> =>
  textOf(await client.callTool({ name, arguments: args }));
const counted = { name: 'count', arguments: {} };
const onprogress = (update: { progress: number }): void => void progress.push(update.progress);

const seen = {
  server: client.getServerVersion()?.name,
  instructions: client.getInstructions(),
  tools: (await client.listTools()).tools.length,
  echo: await call('echo', { region: 'Zürich', nested: { count: 42 } }),
  unknown: await failure(client.callTool({ name: 'no-such-tool' })),
  boom: await call('boom'),
  counted: textOf(
    await (client instanceof OldClient
      ? client.callTool(counted, undefined, { onprogress })
      : client.callTool(counted, { onprogress })),
  ),
  progress,
  ask: await call('ask-twice'),
  rounds: await call('rounds'),
  resource: (await client.readResource({ uri: 'test://a' })).contents,
  templates: (await client.listResourceTemplates()).resourceTemplates.length,
  prompt: (await client.getPrompt({ name: 'greet', arguments: { who: 'Bob' } })).messages.length,
  number: (await client.callTool({ name: 'number', arguments: {} })).structuredContent,
  parallel: new Set(await Promise.all(Array.from({ length: 200 }, (_, n) => call('echo', { n })))).size,
  cancelled: await (async (): Promise<string> => {
    const giving = new AbortController();
    const options = { signal: giving.signal };
    const endless = { name: 'wait', arguments: {} };
    const pending = (
      client instanceof OldClient ? client.callTool(endless, undefined, options) : client.callTool(endless, options)
    ).then(
      () => 'answered',
      () => 'cancelled',
    );
    setTimeout(() => giving.abort(), 100);
    return pending;
  })(),
};
await client.close();
process.stdout.write(JSON.stringify(seen));
