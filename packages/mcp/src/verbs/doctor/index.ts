// Looks at everything this server needs and says what is missing, with the command that would mend it. Changes nothing.
import { type Check } from './check.ts';
import { checkClients } from './clients.ts';
import { checkFolders, checkNode, checkPrograms, checkSandbox, checkWatching } from './machine.ts';
import { checkPort, checkServer } from './server.ts';

export { type Check, renderChecks } from './check.ts';
export { MISTAKES } from './mistakes.ts';

/** What to look at. Paths are absolute. */
export interface DoctorOptions {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly cwd: string;
  /** the Node and the program of this installation */
  readonly nodePath: string;
  readonly nodeVersion: string;
  readonly binPath: string;
  readonly dataDir: string;
  readonly tempDir: string;
  /** the HTTP port that would be asked for */
  readonly port: number;
  /** where the kernel's settings are read; `/proc` */
  readonly proc: string;
  /** how long one program may take to answer */
  readonly timeoutMs: number;
}

/** Every finding, in a fixed order. Never rejects for what it finds. */
export async function doctor(options: DoctorOptions): Promise<Check[]> {
  const parts = await Promise.all([
    checkPrograms(options),
    checkSandbox(options),
    checkFolders(options),
    checkWatching(options),
    checkClients(options),
  ]);
  // The server is started last and alone, so that a slow machine gives it all it has.
  return [checkNode(options), ...parts.flat(), await checkPort(options), await checkServer(options)];
}
