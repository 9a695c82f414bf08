// Credentials of an organization for its connectors: sealed in the vault, named in lists, read only while an action runs.
import { Problem } from '../../core/problem.ts';
import type { Vault } from '../../ports/vault.ts';
import { ActionFailed } from './types.ts';

const LARGEST = 8192;

export interface Connection {
  readonly connector: string;
  /** names of what is sealed, never a value */
  readonly secrets: readonly string[];
}

export interface Credentials {
  /** sorted by connector */
  list(org: string): Promise<readonly Connection[]>;
  connect(org: string, connector: string, secretName: string, value: string): Promise<void>;
  /** false where there was none */
  disconnect(org: string, connector: string): Promise<boolean>;
  /** rejects with ActionFailed `<connector> not connected` */
  read(org: string, connector: string, secretName: string): Promise<string>;
}

const all = (org: string): string => `orgs/${org}/connections/`;
const under = (org: string, connector: string): string => `${all(org)}${connector}/`;

export function createCredentials(vault: Vault): Credentials {
  return {
    async list(org) {
      const refs = await vault.list(org, all(org));
      const byConnector = new Map<string, string[]>();
      for (const ref of refs) {
        const [connector = '', secret = ''] = ref.slice(all(org).length).split('/', 2);
        byConnector.set(connector, [...(byConnector.get(connector) ?? []), secret]);
      }
      return [...byConnector]
        .map(([connector, secrets]) => ({ connector, secrets: secrets.sort() }))
        .sort((a, b) => (a.connector < b.connector ? -1 : 1));
    },

    async connect(org, connector, secretName, value) {
      const bytes = new TextEncoder().encode(value);
      if (bytes.length > LARGEST) throw new Problem(400, `'value' must have at most ${LARGEST} bytes.`);
      if (value.trim() !== value || value === '' || !/^[\x20-\x7e]+$/.test(value)) {
        throw new Problem(
          400,
          "'value' must be text that a header can carry: visible ASCII, without line ends and blanks around it.",
        );
      }
      if (!vault.available) {
        throw new Problem(503, 'This plane has no key to seal a credential with; nothing was stored.');
      }
      await vault.put(org, under(org, connector) + secretName, bytes);
    },

    async disconnect(org, connector) {
      const refs = await vault.list(org, under(org, connector));
      for (const ref of refs) await vault.delete(org, ref);
      return refs.length > 0;
    },

    async read(org, connector, secretName) {
      const value = await vault.get(org, under(org, connector) + secretName);
      if (value === undefined) throw new ActionFailed(`${connector} not connected`);
      return new TextDecoder().decode(value);
    },
  };
}
