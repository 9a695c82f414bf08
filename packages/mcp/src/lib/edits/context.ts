// What changing files needs of a call and of the server: a part of what every local action has.
import type { Config } from '../../config.ts';
import type { Access } from '../access.ts';

export interface EditContext {
  readonly signal: AbortSignal;
  readonly env: { readonly config: Config; readonly access: Access };
}
