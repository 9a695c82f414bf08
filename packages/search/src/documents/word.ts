// docx: the paragraphs of the body, then notes, comments, headers and footers.
import { Flow } from './flow.ts';
import type { OfficePackage } from './package.ts';
import type { Opened } from './opened.ts';
import { runVisitor } from './run.ts';
import { heading } from './sink.ts';
import { walkXml } from './xml.ts';

/** Relation types of the body's companions, in the order they are shown, with the word of their places. */
const COMPANIONS: readonly (readonly [type: string, element: string, place: string])[] = [
  ['footnotes', 'footnote', 'footnote'],
  ['endnotes', 'endnote', 'endnote'],
  ['comments', 'comment', 'comment'],
  ['header', 'hdr', 'header'],
  ['footer', 'ftr', 'footer'],
];

/** Places: `para 5` (all paragraphs count, those in tables and empty ones too), `footnote 1`, `comment 2`, `header 1` ... */
export function readWord(office: OfficePackage, { sink, entries }: Opened): void {
  const entry = entries.length > 0 ? { entry: entries.join('!') } : {};
  const body = new Flow({
    paragraph: (number, text) => sink.part({ place: `para ${number}`, ...entry, text }),
    line: (text) => sink.show(`${text}\n`),
  });
  walkXml(office.xml(office.main), runVisitor(body));
  const relations = office.relations(office.main);
  for (const [type, element, word] of COMPANIONS) {
    let count = 0;
    for (const { target } of relations.filter((each) => each.type === type && office.has(each.target))) {
      for (const lines of containers(office.xml(target), element)) {
        const text = lines.join('\n').trim();
        if (text === '') continue;
        const place = `${word} ${++count}`;
        sink.part({ place, ...entry, text });
        sink.show(`${heading(entries, place)}${text}\n`);
      }
    }
  }
}

/** The lines of each `element`; separators between body and notes have a type and are none. */
function containers(xml: string, element: string): string[][] {
  const found: string[][] = [];
  let lines: string[] | undefined;
  const flow = new Flow({ paragraph: () => {}, line: (text) => lines?.push(text) });
  walkXml(
    xml,
    runVisitor(flow, {
      open(name, attributes) {
        const type = attributes.get('type');
        if (name === element && (type === undefined || type === 'normal')) lines = [];
      },
      close(name) {
        if (name !== element || !lines) return;
        found.push(lines);
        lines = undefined;
      },
    }),
  );
  return found;
}
