// The public names of the plane. Adding one here is a decision.
export { type Config, readConfig } from './config.ts';
export type { App } from './core/app.ts';
export { type Identity, OPERATOR_ORG } from './core/identity.ts';
export {
  type Auth,
  type Method,
  op,
  type Op,
  type OpContext,
  type OpInput,
  type OpSpec,
  type Taken,
} from './core/op.ts';
export { Problem, type ProblemDetails, type ProblemStatus } from './core/problem.ts';
export { createLogger, type Logger, type LoggerOptions } from './http/log.ts';
export { createPlane, type Plane, type PlaneOptions } from './plane.ts';
export type { Audit, AuditEntry } from './ports/audit.ts';
export type { Clock, Ids } from './ports/clock.ts';
export type { Meter, MeterUnit } from './ports/meter.ts';
export type { ColumnTypes, Migration, Store } from './ports/store.ts';
export type { SecretRef, Vault } from './ports/vault.ts';
