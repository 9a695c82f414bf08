// robots.txt: which paths a crawler may ask for, and how fast (RFC 9309).

export interface Robots {
  /** `target` is path and query, as they go on the wire */
  allows(target: string): boolean;
  /** seconds the site asks to leave between two requests */
  readonly delay: number | undefined;
}

/** RFC 9309 2.5: at least 500 KiB are read, more need not be. */
export const MOST_ROBOTS = 512_000;
const MOST_RULES = 5000;

export const ALLOW_ALL: Robots = { allows: () => true, delay: undefined };
export const ALLOW_NONE: Robots = { allows: () => false, delay: undefined };

interface Group {
  readonly agents: string[];
  readonly rules: { readonly allow: boolean; readonly pattern: string }[];
  delay?: number;
}

/** Reads a robots.txt for the crawler named `agent` (a product token such as `hanzo-mcp`). */
export function parseRobots(text: string, agent: string): Robots {
  const groups = readGroups(text);
  const own = groups.filter((group) => group.agents.includes(agent.toLowerCase()));
  const chosen = own.length > 0 ? own : groups.filter((group) => group.agents.includes('*'));
  const rules = chosen.flatMap((group) => group.rules).slice(0, MOST_RULES);
  const delays = chosen.flatMap((group) => group.delay ?? []);
  return {
    delay: delays.length > 0 ? Math.max(...delays) : undefined,
    allows(target) {
      if (target === '/robots.txt') return true;
      let best = -1;
      let allowed = true;
      for (const { allow, pattern } of rules) {
        // The longest match wins, and allow wins between equals (RFC 9309 2.2.2).
        if (pattern.length < best || (pattern.length === best && !allow) || !matches(pattern, target)) continue;
        best = pattern.length;
        allowed = allow;
      }
      return allowed;
    },
  };
}

function readGroups(text: string): Group[] {
  const groups: Group[] = [];
  let current: Group | undefined;
  let naming = false;
  for (const line of text.slice(0, MOST_ROBOTS).split(/\r\n?|\n/)) {
    const found = /^\s*([a-z-]+)\s*:\s*(.*)$/i.exec(line.split('#', 1)[0] ?? '');
    if (!found) continue;
    const [, name = '', rest = ''] = found;
    const value = rest.trim();
    switch (name.toLowerCase()) {
      case 'user-agent':
        if (!naming || !current) groups.push((current = { agents: [], rules: [] }));
        naming = true;
        current.agents.push(value.split('/', 1)[0]?.trim().toLowerCase() ?? '');
        break;
      case 'allow':
      case 'disallow':
        naming = false;
        // An empty rule says nothing.
        if (value !== '') current?.rules.push({ allow: name.toLowerCase() === 'allow', pattern: encode(value) });
        break;
      case 'crawl-delay':
        naming = false;
        if (current && /^\d+(\.\d+)?$/.test(value)) current.delay = Number(value);
        break;
      default:
    }
  }
  return groups;
}

/** Patterns and targets are compared percent-encoded. */
function encode(pattern: string): string {
  return pattern.replaceAll(/[^\u0021-\u007e]/gu, (each) => encodeURIComponent(each));
}

/** `*` stands for anything, `$` at the end for the end; anything else for itself, from the beginning on. Linear, no RegExp. */
function matches(pattern: string, target: string): boolean {
  const anchored = pattern.endsWith('$');
  const parts = (anchored ? pattern.slice(0, -1) : pattern).split('*');
  let at = 0;
  for (const [i, part] of parts.entries()) {
    const last = i === parts.length - 1;
    if (i === 0) {
      if (!target.startsWith(part)) return false;
      at = part.length;
      if (last) return !anchored || at === target.length;
    } else if (last && anchored) {
      return target.length - part.length >= at && target.endsWith(part);
    } else {
      const found = target.indexOf(part, at);
      if (found === -1) return false;
      at = found + part.length;
    }
  }
  return true;
}
