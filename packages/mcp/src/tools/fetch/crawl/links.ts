// The links of a page, in its order.
import { decodeEntities } from '../html/entities.ts';
import { scan } from '../html/scan.ts';

const MOST_LINKS = 20_000;

/** Absolute http(s) addresses a page links to, each once, without fragments. */
export function linksOf(html: string, url: string): URL[] {
  const found = new Map<string, URL>();
  let base = url;
  scan(
    html,
    {
      text: () => undefined,
      close: () => undefined,
      open(name, attributes) {
        const href = attributes.get('href');
        if (href === undefined) return;
        const reference = decodeEntities(href, true).trim();
        if (name === 'base') base = URL.parse(reference, url)?.href ?? base;
        if (name !== 'a' && name !== 'area') return;
        const target = URL.parse(reference, base);
        if (!target || (target.protocol !== 'http:' && target.protocol !== 'https:')) return;
        target.hash = '';
        found.set(target.href, target);
      },
    },
    () => found.size >= MOST_LINKS,
  );
  return [...found.values()];
}
