// Looks at everything this server needs and says what is missing, with the command that would mend it. Changes nothing.
import type { Check, DoctorOptions } from './check.ts';
import { checkClients } from './clients.ts';
import { checkFolders, checkNode, checkPrograms, checkSandbox, checkWatching } from './machine.ts';
import { checkPort, checkServer } from './server.ts';

export { type Check, type DoctorOptions, renderChecks } from './check.ts';

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
