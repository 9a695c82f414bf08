// Globs as ripgrep reads them, where `list` takes one: `*` stays in a segment, `**` crosses them.

/** The regular expression (source, unanchored) of a glob. Throws SyntaxError on an unclosed class or brace. */
function globSource(glob: string): string {
  let source = '';
  let depth = 0;
  for (let i = 0; i < glob.length; i++) {
    const sign = glob[i]!;
    if (sign === '\\' && i + 1 < glob.length) source += literal(glob[++i]!);
    else if (sign === '?') source += '[^/]';
    else if (sign === '*') {
      const stars = /^\*+/.exec(glob.slice(i))![0].length;
      const before = i === 0 || glob[i - 1] === '/';
      const after = glob[i + stars];
      i += stars - 1;
      if (stars < 2 || !before || (after !== undefined && after !== '/')) source += '[^/]*';
      else if (after === undefined) source += i + 1 === stars ? '.*' : '.+';
      else {
        // any number of whole segments, none included
        source += '(?:.*/)?';
        i++;
      }
    } else if (sign === '[') {
      const { text, next } = characterClass(glob, i);
      source += text;
      i = next;
    } else if (sign === '{') {
      depth++;
      source += '(?:';
    } else if (sign === '}' && depth > 0) {
      depth--;
      source += ')';
    } else if (sign === ',' && depth > 0) source += '|';
    else source += literal(sign);
  }
  if (depth > 0) throw new SyntaxError(`'${glob}' has a { that is not closed`);
  return source;
}

function characterClass(glob: string, start: number): { text: string; next: number } {
  let at = start + 1;
  const negated = glob[at] === '!' || glob[at] === '^';
  if (negated) at++;
  let body = '';
  for (let first = true; at < glob.length; at++, first = false) {
    const sign = glob[at]!;
    if (sign === ']' && !first) return { text: `(?!/)[${negated ? '^' : ''}${body}]`, next: at };
    if (sign === '\\' && at + 1 < glob.length) body += `\\${glob[++at]!}`;
    else body += sign === '-' && !first && glob[at + 1] !== ']' ? '-' : sign.replace(/[\\\]^[-]/, '\\$&');
  }
  throw new SyntaxError(`'${glob}' has a [ that is not closed`);
}

function literal(sign: string): string {
  return sign.replace(/[.*+?^${}()|[\]\\/]/, '\\$&');
}

/** One rule of an ignore file or one `glob` parameter. */
export interface Rule {
  /** the rule brings back instead of leaving out */
  readonly negated: boolean;
  readonly directoryOnly: boolean;
  /** `path` is relative to the rule's directory, `name` its last component */
  matches(path: string, name: string): boolean;
}

/**
 * The rule a pattern of gitignore's form stands for, without a leading `!`. A pattern with a slash before its end is
 * anchored to the rule's directory, any other matches a name at every depth.
 */
export function compileRule(pattern: string, negated: boolean): Rule {
  const directoryOnly = pattern.endsWith('/') && !pattern.endsWith('\\/');
  const bare = directoryOnly ? pattern.slice(0, -1) : pattern;
  const anchored = bare.includes('/');
  const glob = bare.startsWith('/') ? bare.slice(1) : bare;
  const rule = { negated, directoryOnly };
  if (!/[\\*?[\]{}]/.test(glob)) {
    return { ...rule, matches: anchored ? (path) => path === glob : (_, name) => name === glob };
  }
  const extension = /^\*(\.[^\\*?[\]{}/]+)$/.exec(glob)?.[1];
  if (extension !== undefined) return { ...rule, matches: (_, name) => name.endsWith(extension) };
  const expression = new RegExp(`^(?:${globSource(glob)})$`, 'su');
  return { ...rule, matches: anchored ? (path) => expression.test(path) : (_, name) => expression.test(name) };
}
