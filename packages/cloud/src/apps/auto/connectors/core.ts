// The connector `core`: what needs no account (contract, tool plane 6.3).
import { setTimeout as wait } from 'node:timers/promises';
import { text } from '../input.ts';
import { ActionFailed, type Connector } from '../types.ts';

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']);
const REDIRECTS = 5;
const LONGEST_DELAY = 60;

export const core: Connector = {
  name: 'core',
  displayName: 'Core',
  description: 'HTTP requests, delays and data, without an account',
  authType: 'none',
  secrets: [],
  actions: [
    {
      name: 'http_request',
      displayName: 'HTTP request',
      description:
        'Sends an HTTP request to a public address and answers its status, headers and body. At most 15 seconds, 5 MiB and 5 redirects.',
      props: [
        { name: 'url', type: 'string', required: true, description: 'http or https' },
        { name: 'method', type: 'string', description: 'GET (default), POST, PUT, PATCH, DELETE or HEAD' },
        { name: 'body', type: 'string', description: 'sent as it is' },
        { name: 'headers', type: 'object', description: 'values are strings' },
      ],
      async run({ input, request }) {
        const method = (text(input, 'method') || 'GET').toUpperCase();
        if (!METHODS.has(method)) {
          throw new ActionFailed(`'method' must be one of ${[...METHODS].join(', ')}, not '${method.slice(0, 40)}'`);
        }
        const body = text(input, 'body');
        if (body !== '' && (method === 'GET' || method === 'HEAD')) {
          throw new ActionFailed(`a ${method} request carries no body; use POST, PUT, PATCH or DELETE`);
        }
        const answer = await request({
          method,
          url: text(input, 'url'),
          headers: headersIn(input['headers']),
          redirects: REDIRECTS,
          ...(body === '' ? {} : { body }),
        });
        return { status: answer.status, headers: Object.fromEntries(answer.headers), body: answer.text };
      },
    },
    {
      name: 'delay',
      displayName: 'Delay',
      description: 'Waits, 60 seconds at most, and answers how long.',
      props: [{ name: 'seconds', type: 'number', required: true, description: '0 to 60' }],
      async run({ input, signal }) {
        const seconds = input['seconds'] as number; // declared a number, and checked to be one
        if (seconds < 0 || seconds > LONGEST_DELAY) {
          throw new ActionFailed(`'seconds' must be from 0 to ${LONGEST_DELAY}, not ${seconds}`);
        }
        await wait(seconds * 1000, undefined, { signal });
        return { delayed: seconds };
      },
    },
    {
      name: 'code',
      displayName: 'Map data',
      description: 'Answers the object it is given; in a flow, with its references filled in. It runs no code.',
      props: [{ name: 'input', type: 'object', description: 'any members' }],
      run: async ({ input }) => input['input'] ?? {},
    },
    {
      name: 'wait_for_approval',
      displayName: 'Wait for approval',
      description: 'In a flow, waits until a person resumes it. Called directly, it is approved at once.',
      props: [{ name: 'reason', type: 'string', description: 'what is to be approved' }],
      run: async ({ input }) => ({ approved: true, reason: text(input, 'reason') }),
    },
  ],
  triggers: [
    {
      name: 'schedule',
      displayName: 'Schedule',
      description: 'Starts at the times a cron expression names.',
      strategy: 'POLLING',
      props: [{ name: 'cron', type: 'string', required: true, description: 'five fields, UTC' }],
    },
    {
      name: 'manual',
      displayName: 'Manual',
      description: 'Starts when somebody starts it.',
      strategy: 'MANUAL',
      props: [],
    },
  ],
};

function headersIn(given: unknown): Readonly<Record<string, string>> {
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries((given ?? {}) as Record<string, unknown>)) {
    if (typeof value !== 'string') throw new ActionFailed(`the header '${name.slice(0, 100)}' must be a string`);
    headers[name] = value;
  }
  return headers;
}
