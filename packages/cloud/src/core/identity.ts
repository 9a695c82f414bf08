// Who a request comes from, settled once at ingress from a verified credential. Nothing else may say who calls.
import type { Principal } from '@hanzo/tool';

/** The reserved organization whose members operate the plane. */
export const OPERATOR_ORG = 'admin';

export interface Identity extends Principal {
  readonly email?: string;
  /** a member of the reserved org: may see and change what belongs to the whole plane */
  readonly isOperator: boolean;
  /** a person, or a machine; a machine is never an org admin */
  readonly kind: 'user' | 'machine';
  /** how it was proved */
  readonly method: 'key' | 'jwt';
  /** the key or token it came with, as it may be named in records: an id, never the secret */
  readonly credential: string;
  /** publishable keys read what is public and spend nothing */
  readonly publishable: boolean;
}
