// What a request is doing, as spans: no more than names and outcomes, and nothing at all where tracing is off. Knows no exporter.
import { AsyncLocalStorage } from 'node:async_hooks';
import { Problem } from './problem.ts';

/** Never a body, an argument, a query or a secret. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface Span {
  /** as the W3C's Trace Context has it, for who is asked next */
  readonly traceparent: string;
  child(name: string, kind: 'internal' | 'client', attributes: Attributes): Span;
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** `type`: a machine word, as `error.type` */
  fail(type: string): void;
  end(): void;
}

const active = new AsyncLocalStorage<Span>();

/** Runs `work` as a part of `span`. */
export const within = <T>(span: Span, work: () => T): T => active.run(span, work);

/** The span of the code that runs; undefined where tracing is off. */
export const currentSpan = (): Span | undefined => active.getStore();

/** Runs `work` in a span of its own below the current one; by itself where there is none. */
export async function traced<T>(
  name: string,
  kind: 'internal' | 'client',
  attributes: Attributes,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const parent = active.getStore();
  if (parent === undefined) return work(undefined);
  const span = parent.child(name, kind, attributes);
  try {
    return await active.run(span, () => work(span));
  } catch (error) {
    span.fail(error instanceof Problem ? error.code : error instanceof Error ? error.name : 'unknown');
    throw error;
  } finally {
    span.end();
  }
}
