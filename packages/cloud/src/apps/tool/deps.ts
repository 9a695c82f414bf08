// What the tool app stands on.
import type { NetClient } from '@hanzo/net';
import type { Charger, Provider } from '@hanzo/tool';
import type { Audit } from '../../ports/audit.ts';
import type { Clock, Ids } from '../../ports/clock.ts';
import type { Meter } from '../../ports/meter.ts';
import type { Remote } from '../../ports/remote.ts';
import type { Store } from '../../ports/store.ts';
import type { Vault } from '../../ports/vault.ts';

/** A skill the plane itself brings: every organization sees it, and none can shadow it. */
export interface BrandSkill {
  readonly name: string;
  readonly description: string;
  readonly content: string;
}

/** A part of this plane, as the inventory shows it (contract, tool plane 2.8). */
export interface Mount {
  readonly name: string;
  readonly enabled: boolean;
  readonly prefixes: readonly string[];
}

export interface ToolDeps {
  readonly store: Store;
  readonly vault: Vault;
  readonly audit: Audit;
  readonly meter: Meter;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly remote: Remote;
  /** connectors, functions, services and agents, in the order they are to be registered */
  readonly providers?: readonly Provider[];
  /** settles priced tools; absent: a tool with a price is refused */
  readonly charger?: Charger;
  readonly brandSkills?: readonly BrandSkill[];
  /** read when it is asked for: apps are put together after this one */
  readonly mounts: () => readonly Mount[];
  /** refuses what may not be dialled, by the text of a URL; rejects with NetError */
  readonly checkUrl: (url: string) => void;
  /** reads the upstream registry, which the operator names, so that it may lie anywhere */
  readonly registry: { readonly url: string; readonly client: NetClient };
  /** told of what must not change an answer */
  readonly onFault?: (error: unknown) => void;
}

/** Generation of everything the tool app keeps of an organization. */
export function generationKey(org: string): string {
  return `tool:${org}`;
}
