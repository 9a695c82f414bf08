// Settles who calls, once per request, from the credential alone. What a client says about itself is never read.
import { DEFAULT_PROJECT, identityGeneration, type IamDeps } from './base.ts';
import { OPERATOR_ORG, type Identity } from '../../core/identity.ts';
import { Problem } from '../../core/problem.ts';
import { createJwtVerifier, type JwtOptions, looksLikeJwt } from './jwt.ts';
import { keyHash, type Keys, looksLikeKey } from './keys.ts';
import type { IamTables } from './store.ts';

export interface Ingress {
  /**
   * The caller of a request with these headers; undefined where there is no credential. Reads `authorization` and
   * `x-project-id` only. Rejects with Problem 401 for a credential that is not one, 403 for a project that is not the caller's.
   */
  identify(headers: { get(name: string): string | null | undefined }): Promise<Identity | undefined>;
  /** writes when keys were last used */
  flush(): Promise<void>;
}

interface Settled {
  /** with the project still to be chosen */
  readonly identity: Omit<Identity, 'project'>;
  /** the only project it may act in */
  readonly bound?: string;
  /** Unix seconds */
  readonly expires?: number;
  readonly keyId?: string;
}

/** What was true of an organization at one generation. */
interface Known {
  readonly generation: number;
  readonly settled: Settled;
}

const KEPT_AT_MOST = 100_000;
/** RFC 6750: the scheme is not case-sensitive */
const BEARER = /^Bearer +(\S+) *$/i;

export interface IngressDeps extends IamDeps {
  readonly keys: Keys;
  readonly jwt?: JwtOptions;
  /** told when the times of use cannot be written */
  readonly onFault?: (error: unknown) => void;
}

export function createIngress({ store, clock, keys, jwt, onFault }: IngressDeps): Ingress {
  const known = new Map<string, Known>();
  const projects = new Map<string, { generation: number; names: ReadonlySet<string> }>();
  let used = new Map<string, number>();
  const verify = jwt && createJwtVerifier(jwt, () => clock.now());
  const db = () => store.db<IamTables>();

  async function settle(token: string): Promise<Settled> {
    // the token itself is not kept, not even in memory
    const hash = keyHash(token);
    const found = known.get(hash);
    if (found !== undefined) {
      const generation = await store.generation(identityGeneration(found.settled.identity.org));
      if (generation === found.generation) return live(found.settled);
      known.delete(hash);
    }
    if (looksLikeKey(token)) return byKey(hash);
    if (verify !== undefined && looksLikeJwt(token)) return byToken(hash, token, verify);
    throw new Problem(401, 'The credential is not known here: a key begins with sk- or pk-.', {
      code: 'invalid_credential',
    });
  }

  function live(settled: Settled): Settled {
    if (settled.expires !== undefined && settled.expires <= clock.now() / 1000)
      throw new Problem(401, 'The credential has expired.', { code: 'expired_credential' });
    return settled;
  }

  async function byKey(hash: string): Promise<Settled> {
    let holder = await keys.holder(hash);
    let generation = 0;
    if (typeof holder === 'object') {
      // read again under the generation that it is kept for: what changes in between must not be kept
      generation = await store.generation(identityGeneration(holder.key.org));
      holder = await keys.holder(hash);
    }
    if (holder === undefined) throw new Problem(401, 'The key is not known here.', { code: 'invalid_credential' });
    if (holder === 'revoked') throw new Problem(401, 'The key was revoked.', { code: 'revoked_credential' });
    if (holder === 'forbidden')
      throw new Problem(401, "The key's owner may not sign in to this organization any more.", {
        code: 'revoked_credential',
      });
    const { key, admin, email } = holder;
    const person = key.userId !== undefined;
    const publishable = key.type === 'publishable';
    const settled: Settled = {
      identity: Object.freeze({
        org: key.org,
        user: key.userId ?? key.id,
        owner: key.org,
        ...(email === undefined ? {} : { email }),
        isAdmin: person && admin && !publishable,
        isOperator: person && key.org === OPERATOR_ORG && !publishable,
        kind: person ? 'user' : 'machine',
        method: 'key',
        credential: key.id,
        publishable,
      }),
      ...(key.project === undefined ? {} : { bound: key.project }),
      ...(key.expires === undefined ? {} : { expires: key.expires }),
      keyId: key.id,
    };
    keep(known, hash, { generation, settled });
    return live(settled);
  }

  async function byToken(hash: string, token: string, check: NonNullable<typeof verify>): Promise<Settled> {
    const claims = await check(token);
    const generation = await store.generation(identityGeneration(claims.org));
    const rows = await db()
      .selectFrom('iam_members as m')
      .innerJoin('iam_users as u', 'u.id', 'm.user_id')
      .innerJoin('iam_organizations as o', 'o.name', 'm.org')
      .select(['u.id', 'u.email', 'm.admin'])
      .where('m.org', '=', claims.org)
      .where('o.deleted', 'is', null)
      .where('u.forbidden', '=', 0)
      .where((e) =>
        e.or([e('u.id', '=', claims.user), e.and([e('u.owner', '=', claims.org), e('u.name', '=', claims.user)])]),
      )
      .execute();
    // a name that is spelt like somebody's id does not make its bearer that person
    const row = rows.find(({ id }) => id === claims.user) ?? rows[0];
    if (row === undefined)
      throw new Problem(401, 'The token is of nobody who is a member here.', { code: 'invalid_credential' });
    const settled: Settled = {
      identity: Object.freeze({
        org: claims.org,
        user: row.id,
        owner: claims.org,
        ...(row.email === null ? {} : { email: row.email }),
        isAdmin: row.admin !== 0,
        isOperator: claims.org === OPERATOR_ORG,
        kind: 'user',
        method: 'jwt',
        credential: claims.id,
        publishable: false,
      }),
      expires: claims.expires,
    };
    keep(known, hash, { generation, settled });
    return live(settled);
  }

  /** The caller's choice among the caller's projects. */
  async function choose({ identity, bound }: Settled, asked: string): Promise<string> {
    const wanted = asked === '' ? (bound ?? DEFAULT_PROJECT) : asked;
    if (bound !== undefined) {
      if (wanted === bound) return bound;
      throw new Problem(403, `This key acts in the project '${bound}' only.`, { code: 'wrong_project' });
    }
    if (wanted === DEFAULT_PROJECT) return wanted;
    const generation = await store.generation(identityGeneration(identity.org));
    let names = projects.get(identity.org);
    if (names?.generation !== generation) {
      const rows = await db().selectFrom('iam_projects').select('name').where('org', '=', identity.org).execute();
      names = { generation, names: new Set(rows.map(({ name }) => name)) };
      keep(projects, identity.org, names);
    }
    if (names.names.has(wanted)) return wanted;
    throw new Problem(403, 'X-Project-Id names no project of this organization.', { code: 'wrong_project' });
  }

  return {
    async identify(headers) {
      const authorization = headers.get('authorization')?.trim() ?? '';
      if (authorization === '') return undefined;
      const token = BEARER.exec(authorization)?.[1];
      if (token === undefined)
        throw new Problem(401, 'Authorization must be: Bearer KEY.', { code: 'invalid_credential' });
      const settled = await settle(token);
      const project = await choose(settled, headers.get('x-project-id')?.trim() ?? '');
      if (settled.keyId !== undefined) used.set(settled.keyId, Math.floor(clock.now() / 1000));
      return { ...settled.identity, project };
    },

    async flush() {
      const times = used;
      used = new Map();
      try {
        await keys.used(times);
      } catch (error) {
        onFault?.(error);
      }
    },
  };
}

function keep<V>(map: Map<string, V>, key: string, value: V): void {
  if (map.size >= KEPT_AT_MOST) map.clear();
  map.set(key, value);
}
