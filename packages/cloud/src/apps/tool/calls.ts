// One call of a tool, whatever door it came by: existence, activation, arguments, fee, price, run, meter, audit, in that order.
import {
  ChargerUnset,
  NotActivated,
  NotDispatchable,
  PaymentRequired,
  Refusal,
  type Registry,
  TOOL_NAME,
  UnknownToolError,
} from '@hanzo/tool';
import { ToolFailed } from '../../core/failed.ts';
import type { OpContext } from '../../core/op.ts';
import { Problem } from '../../core/problem.ts';
import { traced } from '../../core/trace.ts';
import type { ArgumentCheck } from './arguments.ts';
import { callerOf } from './caller.ts';
import type { ToolDeps } from './deps.ts';

const LARGEST_ARGUMENTS = 1_048_576;
const LARGEST_RESULT = 4_194_304;

export interface Calls {
  /** the provider's value; rejects with Problem, or with ToolFailed where the tool ran and failed */
  call(context: OpContext, name: string, args: unknown): Promise<unknown>;
}

export function createCalls(
  { audit, meter, ids, clock }: Pick<ToolDeps, 'audit' | 'meter' | 'ids' | 'clock'>,
  registry: Registry,
  checkArguments: ArgumentCheck,
): Calls {
  const record = (context: OpContext, name: string, result: string, status: number, reason?: string): Promise<void> =>
    audit.append(context, {
      action: 'tools.call',
      resource: { type: 'tools', id: name },
      outcome: { result, status, ...(reason === undefined ? {} : { reason }) },
    });

  return {
    async call(context, given, args) {
      const caller = callerOf(context);
      if (caller.publishable) throw new Problem(403, 'A publishable key (pk-) calls no tools; use a secret key (sk-).');
      const name = given.trim();
      if (!TOOL_NAME.test(name)) {
        throw new Problem(400, "'name' must be 1 to 128 letters, digits and _ . : / -.");
      }
      const values = argumentsOf(args);
      // The caller's own request id may be sent twice; the unit is this call.
      const key = `${clock.now()}-${ids.uuid()}`;
      let fee: Awaited<ReturnType<typeof meter.gate>> | undefined;
      let value: unknown;
      try {
        const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name };
        value = await traced(`execute_tool ${name}`, 'internal', attributes, () =>
          registry.dispatch(caller, name, values, context.signal, async ({ inputSchema }) => {
            checkArguments(inputSchema, values);
            fee = await meter.gate(context, 'call');
          }),
        );
        if (sizeOf(value) > LARGEST_RESULT) {
          throw new Problem(424, `${name} answered more than ${LARGEST_RESULT} bytes.`, { code: 'result_too_large' });
        }
      } catch (error) {
        await fee?.release();
        const problem = asProblem(error, name);
        await record(context, name, resultOf(problem), problem.status, problem.message);
        throw error instanceof ToolFailed ? error : problem;
      }
      // the work is done: these are kept together, and none of them is the caller's to lose
      await Promise.all([
        fee?.commit(),
        meter.count(context, { kind: 'call', tool: name, key }),
        record(context, name, 'ok', 200),
      ]);
      return value;
    },
  };
}

function argumentsOf(args: unknown): Readonly<Record<string, unknown>> {
  if (args === undefined || args === null) return {};
  if (typeof args !== 'object' || Array.isArray(args)) throw new Problem(400, "'arguments' must be an object.");
  if (sizeOf(args) > LARGEST_ARGUMENTS) {
    throw new Problem(413, `'arguments' must have at most ${LARGEST_ARGUMENTS} bytes as JSON.`);
  }
  return args as Readonly<Record<string, unknown>>;
}

function sizeOf(value: unknown): number {
  const text = JSON.stringify(value);
  return text === undefined ? 0 : Buffer.byteLength(text);
}

/** What an audit row says of a refusal (contract, tool plane 2.3, 5.3). */
function resultOf({ status, code }: Problem): string {
  if (status === 402) return 'payment_required';
  if (status === 403) return 'denied';
  return status === 404 ? 'unknown' : code === 'invalid_arguments' ? 'invalid' : 'error';
}

/** A call's end as the wire has it (contract, tool plane 1.3). */
function asProblem(error: unknown, name: string): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof UnknownToolError) {
    return new Problem(404, `No tool of this organization is called '${name}'.`, { code: 'unknown_tool' });
  }
  if (error instanceof NotActivated) {
    return new Problem(403, `tool not activated for this org and project: ${name}`, { code: 'not_activated' });
  }
  if (error instanceof PaymentRequired) {
    const { challenge } = error;
    const header =
      challenge === undefined
        ? {}
        : { headers: { 'payment-required': Buffer.from(JSON.stringify(challenge)).toString('base64') } };
    return new Problem(402, `${name} has to be paid for.`, { code: 'payment_required', ...header });
  }
  if (error instanceof ChargerUnset) return new Problem(402, error.message, { code: 'charger_unset' });
  if (error instanceof NotDispatchable) return new Problem(422, error.message, { code: 'not_dispatchable' });
  if (error instanceof ToolFailed) {
    return new Problem(424, error.message, { code: 'tool_failed', more: { result: error.result } });
  }
  if (error instanceof Refusal) return new Problem(424, error.message, { code: error.code.toLowerCase() });
  if (error instanceof Error && error.name === 'AbortError') return new Problem(504, `${name} was given up.`);
  // what a provider of ours throws is a sentence; anything else tells nothing
  const why = error instanceof Error && error.message !== '' ? error.message : 'it failed without a reason';
  return new Problem(424, `${name} failed: ${why}`, { code: 'tool_failed', cause: error });
}
