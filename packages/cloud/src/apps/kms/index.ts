// The app `kms`: sealed values by name, on the vault that the other apps also keep theirs in.
import type { App } from '../../core/app.ts';
import type { Audit } from '../../ports/audit.ts';
import type { ManagedVault } from '../../vault/index.ts';
import { vaultMigrations } from '../../vault/index.ts';
import { kmsOps } from './ops.ts';

export interface KmsOptions {
  readonly vault: ManagedVault;
  readonly audit: Audit;
}

export function createKmsApp({ vault, audit }: KmsOptions): App & { readonly service: ManagedVault } {
  return { name: 'kms', title: 'Secrets', ops: kmsOps({ vault, audit }), migrations: vaultMigrations, service: vault };
}
