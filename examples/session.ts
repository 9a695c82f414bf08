// What the scripted sessions share: a server in a folder of its own, a real client over stdio, and calls that print themselves.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const PROGRAM = fileURLToPath(new URL('../packages/mcp/bin/hanzo-mcp.js', import.meta.url));

/** An answer taken apart. */
export interface Answer {
  readonly ok: boolean;
  readonly data: Record<string, unknown>;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** the texts beside the envelope */
  readonly text: string;
}

export interface Session {
  /** real path of the project */
  readonly project: string;
  at(name: string): string;
  /** calls a tool and prints the call and the head of its answer; `wanted` is what `ok` has to be */
  call(tool: string, args: Record<string, unknown>, wanted?: boolean): Promise<Answer>;
  /** ends the server and starts another on the same data */
  restart(): Promise<void>;
}

/** Runs `work` in a fresh repository of `files`; everything is removed at the end. */
export async function session(
  files: Readonly<Record<string, string>>,
  work: (s: Session) => Promise<void>,
): Promise<void> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'hanzo-example-')));
  const project = path.join(folder, 'project');
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
    writeFileSync(path.join(project, name), content);
  }
  git(project, 'init', '--quiet', '--initial-branch=main');
  git(project, 'config', 'user.name', 'Example');
  git(project, 'config', 'user.email', 'example@example.com');
  git(project, 'add', '--all');
  git(project, 'commit', '--quiet', '--message=Start');
  let client = await connect(project, path.join(folder, 'data'));
  try {
    await work({
      project,
      at: (name) => path.join(project, name),
      call: (tool, args, wanted = true) => call(client, project, tool, args, wanted),
      async restart() {
        await client.close();
        client = await connect(project, path.join(folder, 'data'));
        console.log('-- the server was started anew');
      },
    });
  } finally {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function connect(project: string, data: string): Promise<Client> {
  const client = new Client({ name: 'example', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const given = Object.entries(process.env).filter((each): each is [string, string] => each[1] !== undefined);
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [PROGRAM, '--project', project, '--no-index'],
      env: { ...Object.fromEntries(given), HANZO_CONFIG_HOME: data },
    }),
  );
  return client;
}

async function call(
  client: Client,
  project: string,
  tool: string,
  args: Record<string, unknown>,
  wanted: boolean,
): Promise<Answer> {
  const result = await client.callTool({ name: tool, arguments: args });
  const texts = (result.content as { text?: string }[]).map((block) => block.text ?? '');
  const envelope = JSON.parse(texts[0] ?? '{}') as Omit<Answer, 'text'>;
  const text = texts.slice(1).join('\n');
  const { action, ...rest } = args;
  const short = (line: string): string => line.replaceAll(project, '.').slice(0, 120);
  console.log(`> ${tool} ${String(action)} ${short(JSON.stringify(rest))}`);
  const shown = text.trimEnd() || JSON.stringify(envelope.error ?? envelope.data);
  for (const line of shown.split('\n').slice(0, 6)) console.log(`    ${short(line)}`);
  expect(envelope.ok === wanted, `${tool} ${String(action)}: ${envelope.error?.message ?? 'succeeded unexpectedly'}`);
  return { ...envelope, text };
}

/** Ends the session where something is not as the script says. */
export function expect(truth: boolean, what: string): void {
  if (!truth) throw new Error(`not so: ${what}`);
}

function git(cwd: string, ...args: string[]): void {
  const { status, stderr } = spawnSync('git', args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
}
