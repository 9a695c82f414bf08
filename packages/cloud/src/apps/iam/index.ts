// The app `iam`: who there is, what they belong to, and by which keys they are known.
import type { App } from '../../core/app.ts';
import type { OpContext } from '../../core/op.ts';
import type { Audit, AuditEntry } from '../../ports/audit.ts';
import type { Ids } from '../../ports/clock.ts';
import { createIngress, type Ingress } from './ingress.ts';
import type { JwtOptions } from './jwt.ts';
import { createKeys, type Keys } from './keys.ts';
import { iamMigrations } from './migrations.ts';
import { directoryOps } from './ops-directory.ts';
import { keyOps } from './ops-keys.ts';
import type { IamDeps } from './base.ts';
import { createDirectory, type Directory } from './service.ts';

export interface IamOptions extends IamDeps {
  readonly audit: Audit;
  /** tokens of an issuer are accepted beside keys */
  readonly jwt?: JwtOptions;
  readonly onFault?: (error: unknown) => void;
}

export interface IamService {
  readonly directory: Directory;
  readonly keys: Keys;
  readonly ingress: Ingress;
  /**
   * The first key of a new plane, or undefined on any other. Of nodes that start at once, one gets it. It must be shown to the
   * operator there and then: nothing keeps it.
   */
  bootstrap(): Promise<{ readonly secret: string } | undefined>;
}

/** How often the times of use are written, milliseconds. */
const FLUSH_EVERY = 60_000;

export function createIamApp(options: IamOptions): App & { readonly service: IamService } {
  const directory = createDirectory(options);
  const keys = createKeys(options);
  const ingress = createIngress({ ...options, keys });
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    name: 'iam',
    title: 'Identity',
    migrations: iamMigrations,
    ops: [
      ...directoryOps({ directory, audit: options.audit }),
      ...keyOps({ directory, keys, audit: options.audit, clock: options.clock }),
    ],
    service: {
      directory,
      keys,
      ingress,
      async bootstrap() {
        const first = await keys.bootstrap();
        if (first !== undefined) await options.audit.append(firstStart(options.ids), firstKey(first.key.id));
        return first;
      },
    },
    async start() {
      timer = setInterval(() => void ingress.flush(), FLUSH_EVERY);
      timer.unref();
    },
    async close() {
      clearInterval(timer);
      await ingress.flush();
    },
  };
}

/** It came by no request. */
function firstStart(ids: Ids): OpContext {
  return {
    requestId: ids.uuid(),
    signal: new AbortController().signal,
    method: 'POST',
    path: 'first start',
    headers: new Map(),
    setHeader: () => undefined,
  };
}

function firstKey(id: string): AuditEntry {
  return {
    action: 'iam.bootstrap',
    resource: { type: 'keys', id },
    outcome: { result: 'ok', status: 201 },
  };
}

export type { Ingress } from './ingress.ts';
export type { JwtOptions } from './jwt.ts';
