// The directory of a plane: who and what there is, in one service.
import type { IamDeps } from './base.ts';
import { createOrganizations, type Organizations } from './organizations.ts';
import { createUsers, type Users } from './users.ts';

export interface Directory extends Organizations, Users {}

export function createDirectory(deps: IamDeps): Directory {
  return { ...createOrganizations(deps), ...createUsers(deps) };
}
