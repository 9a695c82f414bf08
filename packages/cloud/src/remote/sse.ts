// Server-sent events as they stream (HTML standard, section 9.2.6), as far as MCP uses them.

export interface SseEvent {
  /** '' where the event carries none */
  readonly data: string;
  /** the last id seen on the stream, for Last-Event-ID */
  readonly id?: string;
  /** milliseconds to wait before coming back */
  readonly retry?: number;
}

/** Events in their order; one that the stream broke off in the middle of is dropped, as the standard has it. */
export async function* events(body: AsyncIterable<Uint8Array>): AsyncGenerator<SseEvent, void, undefined> {
  let data: string[] = [];
  let id: string | undefined;
  let retry: number | undefined;
  let touched = false;
  for await (const line of lines(body)) {
    if (line === '') {
      if (touched) {
        yield {
          data: data.join('\n'),
          ...(id === undefined ? {} : { id }),
          ...(retry === undefined ? {} : { retry }),
        };
      }
      data = [];
      touched = false;
      continue;
    }
    const colon = line.indexOf(':');
    if (colon === 0) continue;
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    else if (field === 'id' && !value.includes('\0')) id = value;
    else if (field === 'retry' && /^\d{1,9}$/.test(value)) retry = Number(value);
    else continue;
    touched = true;
  }
}

async function* lines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  // the decoder drops a byte order mark at the start
  const decoder = new TextDecoder();
  let rest: string[] = [];
  let carriage = false;
  for await (const chunk of body) {
    let text = decoder.decode(chunk, { stream: true });
    if (text === '') continue;
    if (carriage && text.startsWith('\n')) text = text.slice(1);
    carriage = text.endsWith('\r');
    const parts = text.split(/\r\n|\r|\n/);
    const last = parts.pop() ?? '';
    for (const part of parts) {
      yield rest.length === 0 ? part : `${rest.join('')}${part}`;
      rest = [];
    }
    // a long line is joined once, not anew with each chunk
    if (last !== '') rest.push(last);
  }
}
