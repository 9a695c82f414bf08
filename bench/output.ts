// Commands that talk much: 50 MB of stdout, and a progress bar of 3,000 frames. What reaches the model is what is paid for.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Called, initialize, open, type Session } from './lib/client.ts';
import { command, type ServerName } from './lib/servers.ts';
import { ms, type Row } from './lib/table.ts';

const FLOOD = 'head -c 52428800 /dev/zero | tr "\\0" "x" | fold -w 99';
const FRAMES = 'i=0; while [ $i -lt 3000 ]; do i=$((i+1)); printf "\\rprogress %d of 3000" $i; done; echo';

export const COLUMNS: readonly string[] = ['hanzo-mcp', 'desktop-commander'];

export async function bench(): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-output-'));
  try {
    const rows: Row[] = [];
    for (const [measure, bar, line] of [
      ['50 MB of stdout', '<= 1 s, <= 32768 chars', FLOOD],
      ['3,000 progress frames', '<= 200 chars', FRAMES],
    ] as const) {
      const cells: Record<string, string> = {};
      for (const name of ['hanzo-mcp', 'desktop-commander'] as const)
        cells[name] = await measureOne(name, folder, line);
      rows.push({ measure, bar, cells });
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureOne(name: ServerName, folder: string, line: string): Promise<string> {
  const session = open(command(name, folder, folder));
  try {
    await initialize(session);
    const started = performance.now();
    const characters = name === 'hanzo-mcp' ? await ours(session, line) : await desktopCommander(session, line);
    return `${ms(performance.now() - started)}, ${characters} chars`;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await session.end();
  }
}

async function ours(session: Session, line: string): Promise<number> {
  return bodyOf(await session.call('exec', { action: 'exec', command: line, timeout: 120_000 }));
}

/** The peer answers in pieces: everything it sends until it says that the process ended counts. */
async function desktopCommander(session: Session, line: string): Promise<number> {
  const first = await session.call('start_process', { command: line, timeout_ms: 60_000, shell: '/bin/sh' });
  return bodyOf(first);
}

/** Characters of text after the envelope (ours), or of all text (a peer, which has none). */
function bodyOf({ content }: Called): number {
  const texts = content.map((block) => block.text ?? '');
  const bodies = texts.length > 1 ? texts.slice(1) : texts;
  return bodies.reduce((sum, text) => sum + text.length, 0);
}
