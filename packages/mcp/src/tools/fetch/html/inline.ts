// Text inside a paragraph: emphasis, code, links and images on one run of text.
import { decodeEntities } from './entities.ts';
import { BLOCKS, type Element, textOf } from './tree.ts';

/** Makes addresses absolute; undefined for what leads nowhere outside the page. */
export type Resolve = (reference: string) => string | undefined;

const STRONG: ReadonlySet<string> = new Set(['b', 'strong']);
const EMPHASIS: ReadonlySet<string> = new Set(['i', 'em', 'cite', 'dfn', 'var']);
const STRUCK: ReadonlySet<string> = new Set(['del', 's', 'strike']);
const CODE: ReadonlySet<string> = new Set(['code', 'kbd', 'samp', 'tt']);

/** Signs that pages put beside headings to link to them. */
const PERMALINK = /^(?:¶|#|§|🔗|⚓︎?|)$/u;

/** One run of inline nodes as Markdown on one or more lines (`<br>`), blanks collapsed, ends trimmed. */
export function inline(nodes: readonly (Element | string)[], resolve: Resolve): string {
  return tidy(raw(nodes, resolve));
}

/** Collapses blanks, keeps line breaks (of many in a row two), trims lines and ends. */
function tidy(text: string): string {
  const lines: string[] = [];
  for (const each of text.split(BREAK)) {
    const line = each.replaceAll(/[\s\u00a0]+/g, ' ').trim();
    if (line !== '' || (lines.length > 0 && lines.at(-1) !== '')) lines.push(line);
  }
  if (lines.at(-1) === '') lines.pop();
  return lines.join('\n');
}

/** Stands for `<br>` until blanks are collapsed; a private-use character that is dropped from text. */
const BREAK = '\ue000';

/** Characters that show nothing and only mislead: zero-width ones, soft hyphens, and the invisible tag block. */
export const INVISIBLE = /[\u00ad\u200b\u2060\ue000\ufeff\u{e0000}-\u{e007f}]/gu;

function raw(nodes: readonly (Element | string)[], resolve: Resolve): string {
  let text = '';
  for (const node of nodes) text += typeof node === 'string' ? node.replaceAll(INVISIBLE, '') : one(node, resolve);
  return text;
}

function one(node: Element, resolve: Resolve): string {
  const { name } = node;
  if (name === 'br') return BREAK;
  if (name === 'img') return image(node, resolve);
  if (name === 'input') return node.attributes.has('checked') ? '[x] ' : '[ ] ';
  if (name === 'wbr') return '';
  if (CODE.has(name)) return code(textOf(node));
  if (name === 'pre') return code(textOf(node));
  const inner = raw(node.children, resolve);
  if (name === 'a') return link(node, inner, resolve);
  if (STRONG.has(name)) return wrapped(inner, '**');
  if (EMPHASIS.has(name)) return wrapped(inner, '*');
  if (STRUCK.has(name)) return wrapped(inner, '~~');
  if (name === 'q') return `"${inner}"`;
  if (name === 'sup' && /^\s*(?:[+-]?\d{1,4}|[a-z])\s*$/i.test(inner)) return `^${inner.trim()}`;
  // A block that got into a run of text (a card inside a link) is set off by blanks.
  return node.hasBlock || BLOCKS.has(name) ? ` ${inner} ` : inner;
}

/** Delimiters hug the text; blanks go outside. */
function wrapped(inner: string, mark: string): string {
  const text = inner.trim();
  if (text === '' || text.includes(BREAK)) return inner;
  if (text.startsWith(mark) && text.endsWith(mark)) return inner;
  const start = inner.indexOf(text);
  return `${inner.slice(0, start) && ' '}${mark}${text}${mark}${inner.slice(start + text.length) && ' '}`;
}

/** A code span whose fence is longer than any run of backticks inside (CommonMark 6.1). */
function code(text: string): string {
  const content = text.replaceAll(INVISIBLE, '').replaceAll(/\s+/g, ' ').trim();
  if (content === '') return '';
  const longest = (content.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  if (longest === 0) return `\`${content}\``;
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${content} ${fence}`;
}

function link(node: Element, inner: string, resolve: Resolve): string {
  const href = attribute(node, 'href');
  const text = tidy(inner).replaceAll('\n', ' ');
  const [before, after] = [/^\s/.test(inner) ? ' ' : '', /\s$/.test(inner) ? ' ' : ''];
  if (href.startsWith('#') && PERMALINK.test(text)) return '';
  const url = href === '' ? undefined : resolve(href);
  if (url === undefined) return text === '' ? inner : `${before}${text}${after}`;
  if (text === '') return '';
  if (text === url) return `${before}<${url}>${after}`;
  return `${before}[${text}](${destination(url)})${after}`;
}

function image(node: Element, resolve: Resolve): string {
  const alt = attribute(node, 'alt').replaceAll(INVISIBLE, '').replaceAll(/\s+/g, ' ').trim();
  const source = attribute(node, 'src') || attribute(node, 'data-src');
  const url = source === '' ? undefined : resolve(source);
  // Pictures of one pixel count visitors; those without words or address say nothing.
  if (attribute(node, 'width') === '1' || attribute(node, 'height') === '1') return '';
  if (url === undefined) return alt;
  return alt === '' && node.attributes.has('alt') ? '' : `![${alt}](${destination(url)})`;
}

function destination(url: string): string {
  return /[()<>\s]/.test(url)
    ? url.replaceAll(/[()<>\s]/g, (each) => `%${each.charCodeAt(0).toString(16).padStart(2, '0')}`)
    : url;
}

/** An attribute's value, references resolved; '' when it is not there. */
export function attribute(node: Element, name: string): string {
  return decodeEntities(node.attributes.get(name) ?? '', true).trim();
}
