// Which file a page of a site is saved as: its path, made safe, and never the same for two addresses.
import { createHash } from 'node:crypto';

const LONGEST_SEGMENT = 100;
const MOST_SEGMENTS = 24;
/** Names that Windows keeps for devices. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Gives names, each once: `name(url, html)` is a relative path with `/` between its parts. */
export interface Names {
  name(url: URL, html: boolean): string;
}

/**
 * `/` and `/docs` (a page) become `index.html` and `docs/index.html`, `/a.html` and `/b.pdf` stay, and a query adds eight
 * digits of its hash to the name: `docs/index~1a2b3c4d.html`.
 */
export function createNames(): Names {
  const files = new Set<string>();
  const folders = new Set<string>();
  return {
    name(url, html) {
      const parts = segments(url);
      let last = url.pathname.endsWith('/') ? '' : (parts.pop() ?? '');
      if (html && last !== '' && !/\.x?html?$/i.test(last)) {
        parts.push(last);
        last = '';
      }
      if (last === '') last = html ? 'index.html' : 'index';
      if (url.search !== '') last = marked(last, url.search);
      const wanted = [...parts, last].join('/');
      // A file and a folder of one name, or two names that differ in case only, do not go together on every disk.
      const taken =
        files.has(fold(wanted)) || folders.has(fold(wanted)) || ancestors(wanted).some((each) => files.has(each));
      const chosen = taken ? ['_', marked(last, url.href)].join('/') : wanted;
      files.add(fold(chosen));
      for (const each of ancestors(chosen)) folders.add(each);
      return chosen;
    },
  };
}

function segments(url: URL): string[] {
  const all = url.pathname
    .split('/')
    .filter((each) => each !== '')
    .map(safe);
  if (all.length <= MOST_SEGMENTS) return all;
  return [...all.slice(0, MOST_SEGMENTS - 1), hash(url.pathname), all.at(-1) ?? ''];
}

function safe(segment: string): string {
  const clean = segment
    .replaceAll(/[^\w.~%+=@,-]/g, '_')
    .replace(/^\./, '_.')
    .replace(/\.$/, '._');
  const name = DEVICES.test(clean) ? `_${clean}` : clean;
  return name.length > LONGEST_SEGMENT ? `${name.slice(0, LONGEST_SEGMENT)}~${hash(segment)}` : name;
}

/** `name~hash.ext` */
function marked(name: string, text: string): string {
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  return `${stem}~${hash(text)}${extension}`;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

function ancestors(name: string): string[] {
  const parts = name.split('/');
  return parts.slice(1).map((_, i) => fold(parts.slice(0, i + 1).join('/')));
}

function fold(name: string): string {
  return name.toLowerCase();
}
