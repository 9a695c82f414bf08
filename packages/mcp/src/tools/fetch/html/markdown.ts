// A page as Markdown: headings, lists, tables, code, quotes and links, without what surrounds the content.
import { attribute, inline, INVISIBLE, type Resolve } from './inline.ts';
import { tableRows, writeTable } from './table.ts';
import { BLOCKS, type Element, type Page, parse, textLength } from './tree.ts';
import { type Context, createWriter, type Writer } from './writer.ts';

export interface MarkdownPage {
  readonly text: string;
  readonly title: string | undefined;
  /** which part of the page the text is: its main element, or everything */
  readonly part: 'main' | 'page';
  /** the page is larger than what is converted */
  readonly cut: boolean;
}

/** Most characters of HTML that are converted; more is `cut`. */
const MOST_HTML = 6_000_000;
/** A main element with less text than this is taken for a shell that a script would fill. */
const LEAST_MAIN = 200;

/**
 * Converts HTML to Markdown in time linear in its length, whatever it is: no nesting, size or broken markup makes it
 * slow. Text is not escaped, so that names like snake_case stay as they are. Addresses become absolute against `url`.
 * `whole` keeps navigation, asides and footers, and looks for no main element.
 */
export function toMarkdown(html: string, url: string, whole = false): MarkdownPage {
  const page = parse(html.slice(0, MOST_HTML).replace(/[\ud800-\udbff]$/, ''), whole);
  const main = whole || !page.main || textLength(page.main, LEAST_MAIN) < LEAST_MAIN ? undefined : page.main;
  const writer = createWriter();
  writeChildren(main ?? page.root, { writer, resolve: resolver(url, page) });
  return {
    text: writer.toString(),
    title: page.title,
    part: main ? 'main' : 'page',
    cut: page.cut || html.length > MOST_HTML,
  };
}

function resolver(url: string, page: Page): Resolve {
  const base = (page.base !== undefined && URL.parse(page.base, url)?.href) || url;
  const [here] = url.split('#', 1);
  return (reference) => {
    // A link within the page names a place this text does not have.
    if (reference.startsWith('#')) return undefined;
    const found = URL.parse(reference, base);
    if (!found || !/^(?:https?|mailto|tel|ftp):$/.test(found.protocol)) return undefined;
    return found.hash !== '' && found.href.slice(0, -found.hash.length) === here ? undefined : found.href;
  };
}

/** Writes blocks as blocks and the runs of text between them as paragraphs. */
function writeChildren(node: Element, context: Context): void {
  let run: (Element | string)[] = [];
  const flush = (): void => {
    if (run.length > 0) context.writer.block(inline(run, context.resolve), 1);
    run = [];
  };
  for (const child of node.children) {
    if (typeof child === 'string' || !isBlock(child)) {
      run.push(child);
      continue;
    }
    flush();
    writeBlock(child, context);
  }
  flush();
}

/** A link around blocks stays a link; any other inline element around blocks is only a wrapper. */
function isBlock(node: Element): boolean {
  return BLOCKS.has(node.name) || (node.hasBlock && !(node.name === 'a' && node.attributes.has('href')));
}

function writeBlock(node: Element, context: Context): void {
  const { writer, resolve } = context;
  switch (node.name) {
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6': {
      const text = inline(node.children, resolve).replaceAll('\n', ' ');
      if (text !== '') writer.block(`${'#'.repeat(Number(node.name[1]))} ${text}`);
      return writer.need(2);
    }
    case 'p':
    case 'summary':
    case 'figcaption':
    case 'caption':
      writer.need(2);
      writeChildren(node, context);
      return writer.need(2);
    case 'hr':
      writer.block('---');
      return writer.need(2);
    case 'pre':
      return writeCode(node, writer);
    case 'blockquote':
      writer.need(2);
      writer.nested('> ', '> ', () => writeChildren(node, context));
      return writer.need(2);
    case 'ul':
    case 'ol':
    case 'dir':
    case 'menu':
      return writeList(node, context);
    case 'li':
      return writeItem(node, '- ', context);
    case 'dt':
      writer.need(1);
      return writeChildren(node, context);
    case 'dd':
      writer.need(1);
      writer.nested(': ', '  ', () => writeChildren(node, context));
      return writer.settle();
    case 'table':
      return writeTableOrLayout(node, context);
    default:
      writer.need(isText(node) ? 2 : 1);
      writeChildren(node, context);
      return writer.need(isText(node) ? 2 : 1);
  }
}

/** A div that holds text itself is a paragraph; one that holds blocks is only a box. */
function isText(node: Element): boolean {
  return !node.children.some((child) => typeof child !== 'string' && isBlock(child));
}

function writeList(node: Element, context: Context): void {
  const { writer } = context;
  const inner = node.children.some((child) => typeof child !== 'string' && child.name === 'li');
  if (!inner) return writeChildren(node, context);
  let number = Number.parseInt(attribute(node, 'start') || '1', 10) || 1;
  writer.need(1);
  for (const child of node.children) {
    if (typeof child === 'string') {
      if (child.trim() !== '') writer.block(inline([child], context.resolve), 1);
    } else if (child.name === 'li') {
      writeItem(child, node.name === 'ol' ? `${number++}. ` : '- ', context);
    } else {
      writeBlock(child, context);
    }
  }
  return writer.need(2);
}

function writeItem(node: Element, marker: string, context: Context): void {
  context.writer.need(1);
  context.writer.nested(marker, ' '.repeat(marker.length), () => writeChildren(node, context));
  context.writer.settle();
}

const LANGUAGE = /(?:^|[\s])(?:language|lang|highlight(?:-source|-text)?|brush:)[-\s]?([\w+#.-]+)/i;

function writeCode(node: Element, writer: Writer): void {
  const text = codeText(node).replaceAll(INVISIBLE, '').replaceAll('\u00a0', ' ').replace(/^\n/, '').trimEnd();
  if (text.trim() === '') return;
  const inner = node.children.find((child) => typeof child !== 'string' && child.name === 'code');
  const language = [node, inner]
    .map((each) => (each && typeof each !== 'string' ? (LANGUAGE.exec(attribute(each, 'class'))?.[1] ?? '') : ''))
    .find((each) => each !== '');
  const longest = (text.match(/^`{3,}/gm) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  writer.block(`${fence}${language ?? ''}\n${text}\n${fence}`);
  writer.need(2);
}

/** The lines of a code block; some pages wrap each line into an element of its own. */
function codeText(node: Element): string {
  let text = '';
  for (const child of node.children) {
    if (typeof child === 'string') text += child.replaceAll(/\r\n?/g, '\n');
    else if (child.name === 'br') text += '\n';
    else if (BLOCKS.has(child.name)) text += `${text === '' || text.endsWith('\n') ? '' : '\n'}${codeText(child)}\n`;
    else text += codeText(child);
  }
  return text;
}

function writeTableOrLayout(node: Element, context: Context): void {
  const { writer } = context;
  writer.need(2);
  const rows = tableRows(node);
  if (!rows || !writeTable(node, rows, context)) writeChildren(node, context);
  writer.need(2);
}
