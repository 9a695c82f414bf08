// pptx: the text of each slide in the order of the show, then its notes.
import { Flow } from './flow.ts';
import type { OfficePackage } from './package.ts';
import type { Opened } from './opened.ts';
import { runVisitor } from './run.ts';
import { heading } from './sink.ts';
import { walkXml } from './xml.ts';

/** Placeholders that repeat what the program puts there by itself. */
const FURNITURE: ReadonlySet<string> = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);

/** Places: `slide 3`, `slide 3 notes`. */
export function readSlides(office: OfficePackage, { sink, entries }: Opened): void {
  const entry = entries.length > 0 ? { entry: entries.join('!') } : {};
  const targets = new Map(office.relations(office.main).map((each) => [each.id, each.target]));
  const order: string[] = [];
  walkXml(office.xml(office.main), {
    open(name, attributes) {
      if (name !== 'sldId') return;
      // A slide has a number in `id` and its relation in `r:id`.
      const target = attributes.all('id').find((id) => targets.has(id));
      if (target !== undefined) order.push(targets.get(target) ?? '');
    },
  });
  for (const [i, target] of order.entries()) {
    put(`slide ${i + 1}`, slideText(office.xml(target)), true);
    const notes = office.relations(target).find((each) => each.type === 'notesSlide');
    if (notes && office.has(notes.target)) put(`slide ${i + 1} notes`, slideText(office.xml(notes.target)), false);
  }

  function put(place: string, text: string, always: boolean): void {
    if (text === '' && !always) return;
    sink.part({ place, ...entry, text });
    sink.show(heading(entries, place) + (text === '' ? '' : `${text}\n`));
  }
}

/** The lines of all shapes but the furniture. */
function slideText(xml: string): string {
  const kept: string[] = [];
  let shape: string[] | undefined;
  let furniture = false;
  const flow = new Flow({ paragraph: () => {}, line: (text) => (shape ?? kept).push(text) });
  walkXml(
    xml,
    runVisitor(flow, {
      open(name, attributes) {
        if (name === 'sp') {
          shape = [];
          furniture = false;
        } else if (name === 'ph' && FURNITURE.has(attributes.get('type') ?? '')) furniture = true;
      },
      close(name) {
        if (name !== 'sp' || !shape) return;
        if (!furniture) kept.push(...shape);
        shape = undefined;
      },
    }),
  );
  return kept.filter((line) => line.trim() !== '').join('\n');
}
