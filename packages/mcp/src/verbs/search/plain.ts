// Hits as text, as ripgrep prints them: under a heading and in colour on a terminal, `path:line:text` in a pipe.
import type { Hit } from '@hanzo/search';
import { byteIndex, oddBytes } from './bytes.ts';
import type { ContextLine, Teller } from './lines.ts';
import type { Out } from './out.ts';

export interface Look {
  /** what a file is called */
  readonly name: (file: string, part: Hit['part']) => string;
  readonly fileNames: boolean;
  readonly lineNumbers: boolean;
  readonly heading: boolean;
  readonly color: boolean;
  /** context was asked for: gaps are marked */
  readonly gaps: boolean;
}

/** ripgrep's own default colours. */
const PATH = '35';
const LINE = '32';
const MATCH = '1m\u001b[31';

export function paint(text: string, code: string, color: boolean): string {
  return color ? `\u001b[0m\u001b[${code}m${text}\u001b[0m` : text;
}

/** Tells hits as lines of text. */
export function plainTeller(out: Out, look: Look): Teller {
  let files = 0;
  const prefix = (hit: Hit, line: number, sign: string): string => {
    const name = look.fileNames && !look.heading ? paint(look.name(hit.file, hit.part), PATH, look.color) + sign : '';
    return name + (look.lineNumbers ? paint(String(line), LINE, look.color) + sign : '');
  };
  return {
    file(hit) {
      if (files++ > 0) {
        if (look.heading) out.add('\n');
        else if (look.gaps) out.add('--\n');
      }
      if (look.heading && look.fileNames) out.add(`${paint(look.name(hit.file, hit.part), PATH, look.color)}\n`);
    },
    match(hit) {
      out.add(prefix(hit, hit.line, ':'));
      const bytes = oddBytes(hit);
      if (bytes) for (const piece of painted(bytes, hit.spans, look.color)) out.add(piece);
      else out.add(look.color ? emphasised(hit.text, hit.spans) : hit.text);
      out.add('\n');
    },
    context(hit, line) {
      out.add(prefix(hit, line.line, '-'));
      out.add(textOf(hit, line));
      out.add('\n');
    },
    gap: () => out.add('--\n'),
    end: () => {},
    pause: () => out.flush(),
  };
}

function textOf(hit: Hit, { text, offset }: ContextLine): string | Buffer {
  return oddBytes({ file: hit.file, text, offset, part: hit.part }) ?? text;
}

function emphasised(text: string, spans: readonly number[]): string {
  let out = '';
  let at = 0;
  for (let i = 0; i + 1 < spans.length; i += 2) {
    const [from, to] = [spans[i] as number, spans[i + 1] as number];
    if (from === to) continue;
    out += text.slice(at, from) + paint(text.slice(from, to), MATCH, true);
    at = to;
  }
  return out + text.slice(at);
}

function painted(bytes: Buffer, spans: readonly number[], color: boolean): (string | Buffer)[] {
  if (!color) return [bytes];
  const out: (string | Buffer)[] = [];
  let at = 0;
  for (let i = 0; i + 1 < spans.length; i += 2) {
    const from = byteIndex(bytes, spans[i] as number);
    const to = byteIndex(bytes, spans[i + 1] as number);
    out.push(bytes.subarray(at, from), `\u001b[0m\u001b[${MATCH}m`, bytes.subarray(from, to), '\u001b[0m');
    at = to;
  }
  return [...out, bytes.subarray(at)];
}
