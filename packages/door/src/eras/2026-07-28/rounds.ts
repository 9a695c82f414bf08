// Multi-round-trip requests: a call that needs answers ends, and runs again with them (SEP-2322).
import type { ClientRequest, InputRequired } from '@hanzo/tool';
import { InputNeeded, MissingCapabilityError } from '../../host.ts';
import { CODES, isObject, type Params, RpcError } from '../../core/rpc.ts';
import type { Service } from '../../core/service.ts';
import { misfit } from '../answers.ts';
import { missingFor } from '../needs.ts';
import { type Binding, digest, open, type Remembered, seal } from './request-state.ts';

export interface Rounds {
  /** this round's answers and the host's state, for hosts that handle rounds themselves */
  readonly inputResponses: Readonly<Record<string, unknown>> | undefined;
  readonly state: string | undefined;
  /** resolves to the answers, or throws InputNeeded when the client has to give them first */
  ask(questions: Readonly<Record<string, ClientRequest>>): Promise<Record<string, unknown>>;
  /** the `input_required` result */
  result(required: InputRequired['inputRequired']): Record<string, unknown>;
}

/** Reads what came back with a request. Throws -32602 where the state is not ours. */
export function openRounds(service: Service, binding: Binding, capabilities: Params): Rounds {
  const { inputResponses, requestState } = binding.params;
  const before: Remembered | undefined = requestState === undefined ? undefined : open(service, binding, requestState);
  const responses = readResponses(inputResponses);
  const answers = new Map(Object.entries(before?.answers ?? {}));
  const lastAsked = before?.asked && new Map(Object.entries(before.asked));
  const taken = new Set<string>();
  const asked = new Map<string, string>();
  let turn = 0;

  /** An answer counts for the question it was asked for; on first contact, where nothing was asked yet, its key decides. */
  const find = (key: string, question: string): unknown => {
    if (answers.has(question)) return answers.get(question);
    if (taken.has(key) || !responses.has(key)) return undefined;
    if (lastAsked && lastAsked.get(key) !== question) return undefined;
    taken.add(key);
    answers.set(question, responses.get(key));
    return responses.get(key);
  };

  return {
    inputResponses: inputResponses === undefined ? undefined : Object.fromEntries(responses),
    state: before?.state,
    async ask(questions) {
      // A call asks in the same order each time it runs, so its turn tells equal questions apart.
      const now = turn++;
      const entries = Object.entries(questions);
      for (const [, question] of entries) refuseMissing(question, capabilities);
      const found: Record<string, unknown> = {};
      const missing: Record<string, ClientRequest> = {};
      for (const [key, question] of entries) {
        const name = digest([now, key, question.method, question.params]);
        const answer = find(key, name);
        if (answer !== undefined && misfit(question, answer) === undefined) found[key] = answer;
        else {
          answers.delete(name);
          missing[key] = question;
          asked.set(key, name);
        }
      }
      if (Object.keys(missing).length === 0) return found;
      throw new InputNeeded({ inputRequired: { inputRequests: missing } });
    },
    result({ inputRequests, state }) {
      for (const question of Object.values(inputRequests ?? {})) refuseMissing(question, capabilities);
      const remembered: Remembered = {
        ...(state === undefined ? {} : { state }),
        ...(answers.size > 0 ? { answers: Object.fromEntries(answers) } : {}),
        ...(asked.size > 0 ? { asked: Object.fromEntries(asked) } : {}),
      };
      const remembers = Object.keys(remembered).length > 0;
      if (!inputRequests && !remembers) throw new RpcError(CODES.internal, 'A call asked for nothing');
      return {
        resultType: 'input_required',
        ...(inputRequests ? { inputRequests } : {}),
        ...(remembers ? { requestState: seal(service, binding, remembered) } : {}),
      };
    },
  };
}

/** Answers are objects by their schemas; anything else is as good as no answer, and is asked for again. */
function readResponses(value: unknown): Map<string, unknown> {
  if (value === undefined || value === null) return new Map();
  if (!isObject(value)) throw new RpcError(CODES.invalidParams, 'inputResponses must be an object');
  return new Map(Object.entries(value).filter(([, each]) => isObject(each)));
}

function refuseMissing(question: ClientRequest, capabilities: Params): void {
  const missing = missingFor(question, capabilities);
  if (missing) throw new MissingCapabilityError(missing);
}
