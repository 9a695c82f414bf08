// go.mod with go.sum, and the members of go.work.
import type { Ecosystem, Wanted } from './types.ts';

const bare = (line: string): string => (line.split('//')[0] ?? '').trim();

/** The lines of a directive, in a block or alone, without the word itself. */
function directives(given: string, word: string): string[] {
  const lines: string[] = [];
  let inside = false;
  for (const raw of given.split(/\r?\n/)) {
    const line = raw.trim();
    if (inside && line.startsWith(')')) inside = false;
    else if (inside) lines.push(line);
    else if (line.startsWith(word) && line.slice(word.length).trimStart().startsWith('(')) inside = true;
    else if (line.startsWith(`${word} `)) lines.push(line.slice(word.length + 1).trim());
  }
  return lines.filter((line) => line !== '' && !line.startsWith('//'));
}

export const go: Ecosystem = {
  type: 'go',
  names: /^go\.mod$/,
  async read(manifest) {
    const sums = await manifest.above(
      'go.sum',
      (each) => new Set(each.split('\n').map((line) => line.split(' ', 2).join(' '))),
    );
    const replaced = new Map(
      directives(manifest.text, 'replace').map((line) => {
        const [from = '', to = ''] = bare(line).split('=>');
        return [from.trim().split(/\s+/)[0] ?? '', to.trim()] as const;
      }),
    );
    const found: Wanted[] = [];
    for (const line of directives(manifest.text, 'require')) {
      const [, name, wanted, rest = ''] = /^"?([^\s"]+)"?\s+(\S+)\s*(.*)$/.exec(line) ?? [];
      if (name === undefined || wanted === undefined) {
        manifest.unread('a require line without a version');
        continue;
      }
      const other = replaced.get(name);
      found.push({
        name,
        wanted: other === undefined ? wanted : `${wanted} => ${other}`,
        // What go.mod names is what is built, as soon as go.sum knows it.
        locked: other === undefined && sums?.value.has(`${name} ${wanted}`) ? wanted : null,
        kind: 'runtime',
        ...(/\bindirect\b/.test(rest) ? { indirect: true as const } : {}),
      });
    }
    for (const line of directives(manifest.text, 'tool')) {
      found.push({ name: bare(line), wanted: null, locked: null, kind: 'dev' });
    }
    return found;
  },
};

export const goWork: Ecosystem = {
  type: 'go-work',
  names: /^go\.work$/,
  read: async () => [],
  members: ({ text }) => directives(text, 'use').map((line) => bare(line).replaceAll('"', '')),
};
