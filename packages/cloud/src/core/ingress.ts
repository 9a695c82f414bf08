// Port: settles who sent a request, from its credential alone.
import type { Identity } from './identity.ts';

export interface Ingress {
  /** undefined where there is no credential; rejects with Problem 401 or 403 for one that does not hold */
  identify(headers: { get(name: string): string | null | undefined }): Promise<Identity | undefined>;
}
