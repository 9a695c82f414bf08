// HTML as a small tree: only what is shown, at most so deep and so large, mended where tags do not match.
import { decodeEntities } from './entities.ts';
import { type Attributes, RAW_TEXT, scan } from './scan.ts';

export interface Element {
  readonly name: string;
  readonly attributes: Attributes;
  readonly children: (Element | string)[];
  /** an element of block layout is somewhere inside */
  hasBlock: boolean;
}

export interface Page {
  readonly root: Element;
  /** the text of `<title>` */
  readonly title: string | undefined;
  /** `<base href>` */
  readonly base: string | undefined;
  /** the first `<main>` or role=main */
  readonly main: Element | undefined;
  /** the page has more elements than are kept */
  readonly cut: boolean;
}

/** Deeper elements are opened into their ancestor at this depth: browsers stop at 512, pages need 40. */
const MOST_DEPTH = 100;
const MOST_ELEMENTS = 300_000;

export const BLOCKS: ReadonlySet<string> = new Set(
  `address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form
  h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre search section summary table
  tbody td tfoot th thead tr ul`.split(/\s+/),
);

const VOID: ReadonlySet<string> = new Set(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'.split(' '),
);

/** Never shown: programs, styles, embedded media, controls. */
const UNSHOWN: ReadonlySet<string> = new Set(
  `applet audio button canvas datalist dialog embed iframe math noembed noframes noscript object script select style
  svg template textarea video`.split(/\s+/),
);

/** Around the content rather than of it; left out unless the whole page is wanted. */
const SURROUNDING: ReadonlySet<string> = new Set(['nav', 'menu', 'search']);
const SURROUNDING_ROLES: ReadonlySet<string> = new Set([
  'navigation',
  'search',
  'menu',
  'menubar',
  'dialog',
  'alertdialog',
]);

/** Opening the first closes an open one of the second, but not beyond one of the third (HTML standard, 13.1.2.4). */
const IMPLIED_ENDS: ReadonlyMap<string, readonly [closes: readonly string[], within: readonly string[]]> = new Map([
  ['a', [['a'], ['td', 'th', 'table']]],
  ['li', [['li'], ['ul', 'ol', 'menu', 'dir', 'td', 'th']]],
  [
    'dt',
    [
      ['dt', 'dd'],
      ['dl', 'td', 'th'],
    ],
  ],
  [
    'dd',
    [
      ['dt', 'dd'],
      ['dl', 'td', 'th'],
    ],
  ],
  ['tr', [['tr'], ['table']]],
  [
    'td',
    [
      ['td', 'th'],
      ['tr', 'table'],
    ],
  ],
  [
    'th',
    [
      ['td', 'th'],
      ['tr', 'table'],
    ],
  ],
  ['tbody', [['thead', 'tbody', 'tfoot'], ['table']]],
  ['thead', [['thead', 'tbody', 'tfoot'], ['table']]],
  ['tfoot', [['thead', 'tbody', 'tfoot'], ['table']]],
]);

const TABULAR: ReadonlySet<string> = new Set(['table', 'tbody', 'thead', 'tfoot', 'tr']);

/** Parses what is shown of `html`. `whole` keeps navigation and the like. Linear in the length of `html`. */
export function parse(html: string, whole: boolean): Page {
  const root = element('html', new Map());
  const stack: Element[] = [root];
  const open = new Map<string, number>();
  let title: string | undefined;
  let base: string | undefined;
  let main: Element | undefined;
  let elements = 0;
  /** inside an element that is not shown: its name, and how many of that name are open */
  let hidden: { name: string; depth: number } | undefined;
  /** elements opened beyond MOST_DEPTH that still await their end tag */
  let tooDeep = 0;
  let inTitle = false;

  const top = (): Element => stack[stack.length - 1] as Element;
  const popTo = (index: number): void => {
    for (const each of stack.splice(index)) open.set(each.name, (open.get(each.name) ?? 1) - 1);
  };
  const closeImplied = (name: string): void => {
    const rule = IMPLIED_ENDS.get(name);
    if (rule) {
      for (let i = stack.length - 1; i > 0; i--) {
        const each = (stack[i] as Element).name;
        if (rule[1].includes(each)) break;
        if (rule[0].includes(each)) return popTo(i);
      }
    }
    if (BLOCKS.has(name) && (open.get('p') ?? 0) > 0) {
      for (let i = stack.length - 1; i > 0; i--) {
        const each = (stack[i] as Element).name;
        if (each === 'p') return popTo(i);
        if (BLOCKS.has(each)) return undefined;
      }
    }
    return undefined;
  };
  const markBlock = (): void => {
    for (let i = stack.length - 1; i >= 0; i--) {
      const each = stack[i] as Element;
      if (each.hasBlock) return;
      each.hasBlock = true;
    }
  };

  scan(
    html,
    {
      text(raw) {
        if (inTitle) title ??= decodeEntities(raw).replaceAll(/\s+/g, ' ').trim() || undefined;
        else if (!hidden) top().children.push(decodeEntities(raw));
      },
      open(name, attributes, selfClosing) {
        const alone = VOID.has(name) || (selfClosing && !BLOCKS.has(name) && !RAW_TEXT.has(name));
        if (hidden) {
          if (name === hidden.name && !alone) hidden.depth++;
          return;
        }
        if (name === 'title') inTitle = true;
        if (name === 'base') base ??= decodeEntities(attributes.get('href') ?? '', true).trim() || undefined;
        if (name === 'title' || name === 'html' || name === 'body' || name === 'head') return;
        if (isHidden(name, attributes, whole, main !== undefined)) {
          if (!alone) hidden = { name, depth: 1 };
          if (name === 'math') top().children.push(formula(attributes));
          return;
        }
        closeImplied(name);
        if (stack.length > MOST_DEPTH && !alone) {
          tooDeep++;
          return;
        }
        const made = element(name, attributes);
        elements++;
        top().children.push(made);
        if (BLOCKS.has(name)) markBlock();
        if (alone) return;
        stack.push(made);
        open.set(name, (open.get(name) ?? 0) + 1);
        if (name === 'main' || attributes.get('role') === 'main') main ??= made;
      },
      close(name) {
        if (name === 'title') {
          inTitle = false;
          return;
        }
        if (hidden) {
          if (name === hidden.name && --hidden.depth === 0) hidden = undefined;
          return;
        }
        if (tooDeep > 0) {
          tooDeep--;
          return;
        }
        if ((open.get(name) ?? 0) === 0) return;
        for (let i = stack.length - 1; i > 0; i--) {
          const each = (stack[i] as Element).name;
          if (each === name) return popTo(i);
          // A stray end tag in a cell does not end what the table stands in.
          if (!TABULAR.has(name) && (each === 'td' || each === 'th' || each === 'table')) return;
        }
      },
    },
    () => elements >= MOST_ELEMENTS,
  );
  return { root, title, base, main, cut: elements >= MOST_ELEMENTS };
}

function element(name: string, attributes: Attributes): Element {
  return { name, attributes, children: [], hasBlock: false };
}

function isHidden(name: string, attributes: Attributes, whole: boolean, inMain: boolean): boolean {
  if (UNSHOWN.has(name)) return true;
  if (attributes.size === 0) return !whole && surrounds(name, undefined, inMain);
  if (attributes.has('hidden') && attributes.get('hidden') !== 'until-found') return true;
  if (/display\s*:\s*none/i.test((attributes.get('style') ?? '').slice(0, 1000))) return true;
  if (name === 'input' && attributes.get('type')?.toLowerCase() !== 'checkbox') return true;
  if (attributes.get('aria-hidden') === 'true' && name !== 'img') return true;
  return !whole && surrounds(name, attributes.get('role'), inMain);
}

/** A footer or aside counts as surrounding only outside the main part; inside, it may be a note. */
function surrounds(name: string, role: string | undefined, inMain: boolean): boolean {
  if (SURROUNDING.has(name) || (role !== undefined && SURROUNDING_ROLES.has(role))) return true;
  return !inMain && (name === 'footer' || name === 'aside' || role === 'contentinfo');
}

/** MathML is unreadable as text; the formula's own alternative is not. */
function formula(attributes: Attributes): string {
  const text = decodeEntities(attributes.get('alttext') ?? '', true).trim();
  return text === '' ? '' : `$${text}$`;
}

/** All text below a node, as it stands. */
export function textOf(node: Element | string): string {
  if (typeof node === 'string') return node;
  if (node.name === 'br') return '\n';
  return node.children.map(textOf).join('');
}

/** Counts the characters that are not blank below a node, up to `enough`. */
export function textLength(node: Element, enough: number): number {
  let count = 0;
  for (const child of node.children) {
    count += typeof child === 'string' ? child.replaceAll(/\s+/g, '').length : textLength(child, enough - count);
    if (count >= enough) return count;
  }
  return count;
}
