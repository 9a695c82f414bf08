// Newer content in older words: what a client of an older revision would refuse to parse is said in a way it knows.
import { isObject } from '../../core/rpc.ts';

type Value = Readonly<Record<string, unknown>>;
export type BlockMap = (block: Value) => Value;

/** Applies `map` to every content block of a tool result or a prompt result. */
export function mapBlocks(value: Value, map: BlockMap): Value {
  const { content, messages } = value;
  if (Array.isArray(content)) return { ...value, content: content.map((each) => (isObject(each) ? map(each) : each)) };
  if (!Array.isArray(messages)) return value;
  const mapped = messages.map((message: unknown) =>
    isObject(message) && isObject(message['content']) ? { ...message, content: map(message['content']) } : message,
  );
  return { ...value, messages: mapped };
}

/** Resource links came with 2025-06-18; before, a link is a line of text. */
export const linkAsText: BlockMap = (block) => {
  if (block['type'] !== 'resource_link') return block;
  return { type: 'text', text: `${String(block['name'] ?? 'resource')}: ${String(block['uri'])}` };
};

/** Audio came with 2025-03-26; before, it is an embedded resource. */
export const audioAsResource: BlockMap = (block) => {
  if (block['type'] !== 'audio') return block;
  return { type: 'resource', resource: { uri: 'data:', mimeType: block['mimeType'], blob: block['data'] } };
};

/** Up to 2025-11-25 an output schema is an object at its root; any other is left out, its values are wrapped. */
export function objectOutput(items: readonly unknown[]): readonly unknown[] {
  if (!items.some(hasOtherOutput)) return items;
  let known = projected.get(items);
  if (!known) {
    known = items.map((item) => {
      if (!hasOtherOutput(item)) return item;
      const { outputSchema: _left, ...rest } = item;
      return rest;
    });
    projected.set(items, known);
  }
  return known;
}

const projected = new WeakMap<readonly unknown[], readonly unknown[]>();

function hasOtherOutput(item: unknown): item is Value {
  return isObject(item) && isObject(item['outputSchema']) && item['outputSchema']['type'] !== 'object';
}

/** Up to 2025-11-25 structured content is an object. */
export function objectStructure(value: Value): Value {
  const structured = value['structuredContent'];
  if (structured === undefined || isObject(structured)) return value;
  return { ...value, structuredContent: { result: structured } };
}
