// The public names of the contract. Adding one here is a decision.
export { action, type Action, type ActionContext, type ActionSpec, type Effect } from './action.ts';
export { ENVELOPE_ALLOWANCE } from './bound.ts';
export { clip, jsonLength, shorten, utf8Length } from './clip.ts';
export type { ActionResult, Body, CallResult, ContentBlock, Paging, ResourceContents } from './content.ts';
export { defineTool, type CallOptions, type ToolDefinition, type ToolSpec } from './define.ts';
export { DEFAULT_MAX_OUTPUT, type EnvelopeOptions, failure, success } from './envelope.ts';
export { ERROR_CODES, type ErrorCode, type ErrorDetails, ToolError } from './errors.ts';
export { actionSchema, BUILT_IN_ACTIONS } from './flatten.ts';
export {
  type CallContext,
  type Caller,
  type ClientRequest,
  type InputRequired,
  type JsonSchema,
  type LogLevel,
  type Tool,
  type ToolAnnotations,
  type ToolHost,
  UnknownToolError,
} from './host.ts';
export { InputNeeded } from './input.ts';
export { nearest } from './nearest.ts';
export {
  type ActivationStore,
  canonicalScope,
  type Charge,
  type Charger,
  type Hold,
  isPriced,
  type ListedTool,
  type Offer,
  parseAmount,
  type Price,
  type Principal,
  type Provider,
  type ProviderContext,
  type Scope,
} from './provider.ts';
export { type LeftOut, type Listing, Registry, type RegistryOptions, TOOL_NAME } from './registry.ts';
export {
  ChargerUnset,
  NotActivated,
  NotDispatchable,
  PaymentRequired,
  Refusal,
  SourceUnavailable,
  UnknownTool,
} from './registry-outcome.ts';
export { rank, type Source } from './source.ts';
