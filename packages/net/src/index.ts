// The public names of the guarded HTTP client. Adding one here is a decision.
export { type AddressKind, classify } from './address.ts';
export type { NetBody, Overflow } from './body.ts';
export { createClient } from './client.ts';
export { NetError, type NetErrorCode, type NetErrorDetails } from './errors.ts';
export { createGuard, type Guard, type GuardOptions } from './guard.ts';
export type { HeaderFields } from './headers.ts';
export { NON_HTTP_PORTS } from './ports.ts';
export type { ResolvedAddress, Resolver } from './resolver.ts';
export type { ClientOptions, GuardedFetch, Limits, NetClient, NetResponse, RequestOptions } from './types.ts';
