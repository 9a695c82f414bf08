// The caller of an operation, as the tool app needs it.
import type { Scope } from '@hanzo/tool';
import type { Identity } from '../../core/identity.ts';
import type { OpContext } from '../../core/op.ts';
import { Problem } from '../../core/problem.ts';

export function callerOf({ identity }: OpContext): Identity {
  if (identity === undefined) throw new Problem(401, 'A credential is needed: Authorization: Bearer <key>.');
  return identity;
}

export function scopeOf({ org, project }: Identity): Scope {
  return { org, project: project === '' ? 'default' : project };
}

/** May this caller put things in place for the whole organization? */
export function isAdmin({ isAdmin: admin, isOperator }: Identity): boolean {
  return admin || isOperator;
}

export const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);
