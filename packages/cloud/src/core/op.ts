// An operation of the plane as a value: one declaration, from which every surface is projected. Knows no transport.
import type { z } from 'zod';
import type { Identity } from './identity.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call: `none` no credential needed (one that is there is still settled); `member` any member of an org;
 * `admin` an admin of the org or an operator; `operator` a member of the reserved org `admin`.
 */
export type Auth = 'none' | 'member' | 'admin' | 'operator';

/** What an operation takes, by place. Unknown members of a body are dropped, unknown query parameters ignored (contract 2). */
export interface OpInput {
  /** members of the path, `{id}` in `path` */
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
}

type Part<S> = S extends z.ZodObject ? z.output<S> : undefined;
export interface Taken<I extends OpInput> {
  readonly params: Part<I['params']>;
  readonly query: Part<I['query']>;
  readonly body: Part<I['body']>;
}

/** One request as an operation sees it, whatever surface it came by. */
export interface OpContext {
  /** settled at ingress; absent only where `auth` is `none` */
  readonly identity?: Identity;
  readonly requestId: string;
  /** aborted when the caller is gone or the plane ends */
  readonly signal: AbortSignal;
  readonly method: Method;
  readonly path: string;
  readonly ip?: string;
  readonly userAgent?: string;
  /** request headers that a payment rail reads, lower-case names */
  readonly headers: ReadonlyMap<string, string>;
  /** response headers, for HTTP only */
  setHeader(name: string, value: string): void;
}

export interface OpSpec<I extends OpInput, A extends z.ZodType | undefined> {
  /** `get_tool_kit`: method, then the path's words */
  readonly id: string;
  /** the app it belongs to, also its OpenAPI tag and its MCP tool */
  readonly app: string;
  readonly method: Method;
  /** under `/v1/`, with `{name}` for parameters */
  readonly path: string;
  /** one sentence */
  readonly summary: string;
  readonly description?: string;
  readonly auth: Auth;
  readonly input: I;
  /** the body of a success; left out: none (204) */
  readonly answer: A;
  /** of a success; default 200, and 204 without an answer */
  readonly status?: 200 | 201 | 202 | 204;
  /** statuses of refusals and what each means here, for the reference */
  readonly refusals?: Readonly<Record<number, string>>;
  /** left out of what customers are shown (operators' operations) */
  readonly internal?: boolean;
  /** reads that must not be offered to an agent, because the answer discloses a bearer secret */
  readonly discloses?: boolean;
  /** most bytes of its body; default 1 MiB */
  readonly maxBody?: number;
  run(context: OpContext, input: Taken<I>): Promise<A extends z.ZodType ? z.input<A> : void>;
}

/** An operation as the projections hold it. */
export interface Op {
  readonly id: string;
  readonly app: string;
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly auth: Auth;
  readonly input: OpInput;
  readonly answer: z.ZodType | undefined;
  readonly status: 200 | 201 | 202 | 204;
  readonly refusals: Readonly<Record<number, string>>;
  readonly internal: boolean;
  readonly discloses: boolean;
  readonly maxBody: number;
  run(context: OpContext, input: Taken<OpInput>): Promise<unknown>;
}

/** Declares an operation. */
export function op<const I extends OpInput, A extends z.ZodType | undefined>(spec: OpSpec<I, A>): Op {
  return {
    ...spec,
    status: spec.status ?? (spec.answer === undefined ? 204 : 200),
    refusals: spec.refusals ?? {},
    internal: spec.internal ?? false,
    discloses: spec.discloses ?? false,
    maxBody: spec.maxBody ?? 1_048_576,
    // the surfaces validate with `input` before they call, so what arrives is what the schemas put out
    run: spec.run as Op['run'],
  };
}
