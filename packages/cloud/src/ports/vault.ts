// Port: sealed values. What is put in comes out only with the same reference; nothing else ever shows it.

/** Opaque to the vault, `orgs/<org>/...`; part of what is authenticated. */
export type SecretRef = string;

export interface Vault {
  /** false where no key-encryption key is configured: `put` then rejects with Problem 503 */
  readonly available: boolean;
  put(org: string, ref: SecretRef, value: Uint8Array): Promise<void>;
  /** undefined where nothing is kept; rejects where it cannot be opened */
  get(org: string, ref: SecretRef): Promise<Uint8Array | undefined>;
  delete(org: string, ref: SecretRef): Promise<void>;
  /** references below a prefix, for sweeping what nothing points to any more */
  list(org: string, prefix: string): Promise<readonly SecretRef[]>;
}
