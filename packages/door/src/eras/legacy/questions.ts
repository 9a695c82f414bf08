// Requests of the server's own: asking the client in the middle of a call, and taking its answers.
import type { ClientRequest } from '@hanzo/tool';
import { MissingCapabilityError } from '../../host.ts';
import type { Lane } from '../../core/lane.ts';
import { type Id, isObject, notificationText, requestText, type Response } from '../../core/rpc.ts';
import { misfit } from '../answers.ts';
import { missingFor } from '../needs.ts';

/** Milliseconds a person has to answer one question (the reference SDK's leg time-out). */
const ANSWER_TIME = 600_000;

export interface Questions {
  /** sends every question on the call's own lane; resolves to the answers under the same keys */
  ask(
    lane: Lane,
    capabilities: Readonly<Record<string, unknown>>,
    questions: Readonly<Record<string, ClientRequest>>,
  ): Promise<Record<string, unknown>>;
  settle(response: Response): void;
  close(): void;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export function createQuestions(): Questions {
  const waiting = new Map<Id | null, Waiting>();
  let last = 0;

  const one = (lane: Lane, question: ClientRequest): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = `door-${++last}`;
      const give = (why: string): void => {
        finish();
        reject(new Error(why));
      };
      const timer = setTimeout(() => {
        const reason = 'the client did not answer in time';
        lane.send(notificationText('notifications/cancelled', { requestId: id, reason }));
        give(reason);
      }, ANSWER_TIME);
      timer.unref();
      // A client that cancelled the call knows that its questions are void.
      const onAbort = (): void => give('the call was cancelled');
      const finish = (): void => {
        clearTimeout(timer);
        lane.signal.removeEventListener('abort', onAbort);
        waiting.delete(id);
      };
      waiting.set(id, {
        resolve(value) {
          finish();
          const wrong = misfit(question, value);
          if (wrong) reject(new Error(`The client's answer does not fit: ${wrong}`));
          else resolve(value);
        },
        reject: (error) => (finish(), reject(error)),
      });
      if (lane.signal.aborted) return onAbort();
      lane.signal.addEventListener('abort', onAbort);
      lane.send(requestText(id, question.method, question.params));
    });

  return {
    async ask(lane, capabilities, questions) {
      const entries = Object.entries(questions);
      for (const [, question] of entries) {
        const missing = missingFor(question, capabilities);
        if (missing) throw new MissingCapabilityError(missing);
      }
      if (!lane.open) throw new Error('this connection has no way to ask the client');
      const answers = await Promise.all(entries.map(async ([key, each]) => [key, await one(lane, each)] as const));
      return Object.fromEntries(answers);
    },
    settle(response) {
      const asker = waiting.get(response.id);
      if (!asker) return;
      const { error, result } = response;
      if (error === undefined) return asker.resolve(result);
      const message = isObject(error) && typeof error['message'] === 'string' ? error['message'] : 'it gave an error';
      asker.reject(new Error(`The client refused: ${message}`));
    },
    close() {
      for (const asker of waiting.values()) asker.reject(new Error('the client is gone'));
    },
  };
}
