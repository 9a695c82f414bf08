// The tool app's service: what its operations, the agent door and other apps call. Put together in index.ts.
import type { Registry } from '@hanzo/tool';
import type { LeftOut } from '@hanzo/tool';
import type { Identity } from '../../core/identity.ts';
import type { ToolsGone } from '../../ports/gone.ts';
import type { RemoteListing } from '../../ports/remote.ts';
import type { Calls } from './calls.ts';
import type { Catalog } from './catalog.ts';
import type { Mount } from './deps.ts';
import type { Kits } from './kit.ts';
import type { ServerRow, Servers } from './servers.ts';
import type { Skills } from './skills.ts';
import type { Switches } from './switches.ts';

export interface ToolService {
  readonly registry: Registry;
  readonly calls: Calls;
  readonly switches: Switches;
  readonly servers: Servers;
  readonly skills: Skills;
  readonly kits: Kits;
  readonly catalog: Catalog;
  readonly registryUrl: string;
  mounts(): readonly Mount[];
  /** what a server lists now, or why it does not */
  listingOf(row: ServerRow, signal: AbortSignal): Promise<RemoteListing>;
  /** servers that do not list, as parts a listing lacks */
  serversLeftOut(identity: Identity, signal: AbortSignal): Promise<readonly LeftOut[]>;
  /** drops what was switched on of tools that are gone */
  readonly gone: ToolsGone;
  /** with its activations; false where there is none */
  removeServer(org: string, id: string): Promise<boolean>;
}
