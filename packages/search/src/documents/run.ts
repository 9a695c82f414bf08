// Runs of text in WordprocessingML and DrawingML, which agree on the local names that matter (ECMA-376 parts 17.3 and 21.1.2).
import type { Flow } from './flow.ts';
import type { Visitor } from './xml.ts';

/** Elements whose content is not text of the document: other renderings, moved-away text, phonetic guides, field codes. */
const LEFT_OUT: ReadonlySet<string> = new Set(['Fallback', 'moveFrom', 'rt', 'rPh', 'instrText', 'delText']);

/** Visits paragraphs, runs and tables and tells `flow`; `hooks` sees every tag that counts. */
export function runVisitor(flow: Flow, hooks: Visitor = {}): Required<Visitor> {
  let leftOut = 0;
  let runs = 0;
  let inText = 0;
  return {
    open(name, attributes) {
      if (leftOut > 0 || LEFT_OUT.has(name)) {
        leftOut++;
        return;
      }
      hooks.open?.(name, attributes);
      if (name === 'p') flow.openParagraph();
      else if (name === 'r' || name === 'fld') runs++;
      else if (name === 't') inText++;
      else if (name === 'tr') flow.openRow();
      else if (name === 'tc') flow.openCell();
      else if (name === 'br' || name === 'cr') flow.add('\n');
      else if (name === 'tab' && runs > 0) flow.add('\t');
      else if (name === 'noBreakHyphen') flow.add('\u2011');
    },
    close(name) {
      if (leftOut > 0) {
        leftOut--;
        return;
      }
      if (name === 'p') flow.closeParagraph();
      else if (name === 'r' || name === 'fld') runs--;
      else if (name === 't') inText--;
      else if (name === 'tr') flow.closeRow();
      else if (name === 'tc') flow.closeCell();
      hooks.close?.(name);
    },
    text(text) {
      if (leftOut === 0 && inText > 0) flow.add(text);
    },
  };
}
