// Hits as JSON Lines in the message format of ripgrep's --json: begin, match, context, end, summary.
import { statSync } from 'node:fs';
import type { Hit } from '@hanzo/search';
import { byteIndex, oddBytes } from './bytes.ts';
import type { ContextLine, Teller } from './lines.ts';
import type { Out } from './out.ts';

type Text = { readonly text: string } | { readonly bytes: string };

interface Stats {
  searches: number;
  searches_with_match: number;
  matched_lines: number;
  matches: number;
}

/** Tells hits as messages. `summary` closes them; `searched` is how many files were looked at. */
export function jsonTeller(
  out: Out,
  name: (file: string, part: Hit['part']) => string,
): Teller & { summary(searched: number, elapsedMs: number): void } {
  const all: Stats = { searches: 0, searches_with_match: 0, matched_lines: 0, matches: 0 };
  let own: Stats = { ...all };
  let size = 0;
  const say = (type: string, data: object): void => out.add(`${JSON.stringify({ type, data })}\n`);
  const path = (hit: Hit): Text => ({ text: name(hit.file, hit.part) });
  const line = (hit: Hit, each: ContextLine, spans: readonly number[]): object => {
    const odd = oddBytes({ file: hit.file, text: each.text, offset: each.offset, part: hit.part });
    const bytes = odd ?? Buffer.from(each.text);
    const end = !hit.part && each.offset + bytes.length >= size ? '' : '\n';
    const at = odd
      ? (index: number) => byteIndex(odd, index)
      : (index: number) => Buffer.byteLength(each.text.slice(0, index));
    const submatches = [];
    for (let i = 0; i + 1 < spans.length; i += 2) {
      const [from, to] = [at(spans[i] as number), at(spans[i + 1] as number)];
      submatches.push({ match: told(bytes.subarray(from, to)), start: from, end: to });
    }
    return {
      path: path(hit),
      lines: told(Buffer.concat([bytes, Buffer.from(end)])),
      line_number: each.line,
      absolute_offset: each.offset,
      submatches,
    };
  };
  return {
    file(hit) {
      size = statSync(hit.file, { throwIfNoEntry: false })?.size ?? 0;
      own = { searches: 1, searches_with_match: 1, matched_lines: 0, matches: 0 };
      say('begin', { path: path(hit) });
    },
    match(hit) {
      own.matched_lines++;
      own.matches += hit.spans.length / 2;
      const data = line(hit, hit, hit.spans);
      say('match', hit.type ? { ...data, symbol: hit.type } : data);
    },
    context: (hit, each) => say('context', line(hit, each, [])),
    gap: () => {},
    end(hit) {
      for (const key of ['searches_with_match', 'matched_lines', 'matches'] as const) all[key] += own[key];
      say('end', { path: path(hit), binary_offset: null, stats: statsOf(own, 0) });
    },
    pause: () => out.flush(),
    summary(searched, elapsedMs) {
      all.searches = searched;
      say('summary', { elapsed_total: elapsed(elapsedMs), stats: statsOf(all, elapsedMs) });
    },
  };
}

/** Text, or base64 where it is none. */
function told(bytes: Buffer): Text {
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) ? { text } : { bytes: bytes.toString('base64') };
}

/** What an index spares reading is not counted: bytes are told as 0. */
function statsOf(stats: Stats, elapsedMs: number): object {
  return { elapsed: elapsed(elapsedMs), ...stats, bytes_searched: 0, bytes_printed: 0 };
}

function elapsed(ms: number): { secs: number; nanos: number; human: string } {
  const secs = Math.floor(ms / 1000);
  return { secs, nanos: Math.floor((ms % 1000) * 1e6), human: `${(ms / 1000).toFixed(6)}s` };
}
