// How tools, servers and skills are called, and what a name tells of its source (contract, tool plane 3.3, 6.4).
import { createHash } from 'node:crypto';
import { TOOL_NAME } from '@hanzo/tool';
import type { Offer } from '@hanzo/tool';
import type { RemoteTool } from '../../ports/remote.ts';

export const SKILL_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;
/** Clients take no more. */
const LONGEST = 64;
const SUFFIX = 9;

export const skillTool = (name: string): string => `skill_${name}`;

/** The bare name of a skill's tool; undefined for another tool. */
export function skillOf(tool: string): string | undefined {
  return tool.startsWith('skill_') ? tool.slice('skill_'.length) : undefined;
}

/** The server part of a tool's name: ids hold no underscore, so it ends at the first one. */
export function serverOf(tool: string): string | undefined {
  const at = tool.indexOf('_');
  return at > 0 ? tool.slice(0, at) : undefined;
}

/**
 * What a server's tool is published as: `<id>_<name>` where that can be called, else shortened and made of callable letters,
 * with a suffix from the whole identity. The same pair has the same name always; two pairs have two.
 */
export function publishedName(server: string, remote: string): string {
  const plain = `${server}_${remote}`;
  // a plain name that ends like a suffix would stand where another one's suffixed name does
  if (plain.length <= LONGEST && TOOL_NAME.test(plain) && !/_[0-9a-f]{8}$/.test(remote)) return plain;
  const suffix = createHash('sha256')
    .update(`${server}\0${remote}`)
    .digest('hex')
    .slice(0, SUFFIX - 1);
  const kept = plain.replace(/[^A-Za-z0-9_.:/-]/g, '-').slice(0, LONGEST - SUFFIX);
  return `${kept}_${suffix}`;
}

/** Lower case, letters, digits and dashes; everything else is dropped. Empty where nothing is left. */
function sanitisedId(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, '')
    .replace(/^-+|-+$/g, '')
    .slice(0, 32)
    .replace(/-+$/, '');
}

/** `com.stripe` -> `stripe-com`: the vendor's reverse-DNS name, read forward. */
export function listingId(vendor: string): string {
  return sanitisedId(vendor.split('.').toReversed().join('-'));
}

/** Names one state of a tool's descriptor: what a model is told of it. */
export function digestOf(
  tool: Pick<RemoteTool, 'name' | 'title' | 'description' | 'inputSchema' | 'annotations'>,
): string {
  const { name, title, description, inputSchema, annotations } = tool;
  return createHash('sha256')
    .update(sorted([name, title ?? '', description ?? '', inputSchema ?? null, annotations ?? null]))
    .digest('hex');
}

/** JSON with members in the order of their names: a server may write them in another order each time. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

/** What an offer of another source is held to when it is switched on. */
export function offerDigest({ name, description, inputSchema }: Offer): string {
  return digestOf({ name, description, inputSchema });
}
