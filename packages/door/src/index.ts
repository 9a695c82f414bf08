// The public names of the door. Adding one here is a decision.
export {
  capabilitiesOf,
  type Change,
  type Completion,
  type CompletionRef,
  type Face,
  type Host,
  type Implementation,
  MissingCapabilityError,
  type Prepared,
  type Prompt,
  type PromptResult,
  type Resource,
  type ResourceResult,
  type ResourceTemplate,
  UnknownPromptError,
  UnknownResourceError,
} from './host.ts';
export { CODES, RpcError } from './core/rpc.ts';
export { LEGACY_REVISIONS, MODERN_VERSIONS } from './eras/revisions.ts';
export { createHttpDoor, type HttpDoor, type HttpDoorOptions } from './http/door.ts';
export { type HttpOptions, type HttpServer, serveHttp } from './http/serve.ts';
export { serveStdio, type StdioOptions } from './stdio/serve.ts';
export { type Diverted, divertStdout, type Output } from './stdio/stdout.ts';
