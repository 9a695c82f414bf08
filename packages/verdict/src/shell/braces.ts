// Brace expansion: `a{b,c}d`, `{1..3}`, nested. Text in, texts out; quotes and escapes inside are taken off.

const MOST = 64;

/** The texts a brace expression `{...}` stands for; undefined if it is none, holds expansions, or makes too many. */
export function braceTexts(text: string): readonly string[] | undefined {
  if (/[$`]/.test(text)) return undefined;
  const made = expand(text);
  return made.length > MOST ? undefined : made.map(bare);
}

function bare(text: string): string {
  return text.replaceAll(
    /\\(.)|'([^']*)'|"((?:[^"\\]|\\.)*)"/g,
    (_, escaped, single, double) => escaped ?? single ?? double ?? '',
  );
}

function expand(text: string): string[] {
  const open = firstOpen(text);
  if (open === undefined) return [text];
  const { start, end, commas } = open;
  const before = text.slice(0, start);
  const after = expand(text.slice(end + 1));
  const inner = text.slice(start + 1, end);
  let middle: string[];
  if (commas.length > 0) {
    const cuts = [start, ...commas, end];
    middle = cuts.slice(1).flatMap((cut, i) => expand(text.slice((cuts[i] as number) + 1, cut)));
  } else middle = sequence(inner) ?? expand(inner).map((each) => `{${each}}`);
  if (middle.length * after.length > MOST) return Array.from({ length: MOST + 1 }, () => '');
  return middle.flatMap((m) => after.map((a) => before + m + a));
}

function firstOpen(text: string): { start: number; end: number; commas: number[] } | undefined {
  for (let start = 0; start < text.length; start++) {
    if (text[start] === '\\') {
      start++;
      continue;
    }
    if (text[start] !== '{') continue;
    let depth = 0;
    const commas: number[] = [];
    for (let i = start; i < text.length; i++) {
      const sign = text[i];
      if (sign === '\\') i++;
      else if (sign === "'" || sign === '"') i = Math.max(i, text.indexOf(sign, i + 1));
      else if (sign === '{') depth++;
      else if (sign === ',' && depth === 1) commas.push(i);
      else if (sign === '}' && --depth === 0) return { start, end: i, commas };
    }
  }
  return undefined;
}

function sequence(text: string): string[] | undefined {
  const numbers = /^(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?$/.exec(text);
  const letters = /^([a-zA-Z])\.\.([a-zA-Z])(?:\.\.(-?\d+))?$/.exec(text);
  const found = numbers ?? letters;
  if (!found) return undefined;
  const [first, last] = numbers
    ? [Number(found[1]), Number(found[2])]
    : [found[1]!.codePointAt(0)!, found[2]!.codePointAt(0)!];
  const step = Math.abs(Number(found[3] ?? 1)) || 1;
  const count = Math.floor(Math.abs(last - first) / step) + 1;
  if (count > MOST) return Array.from({ length: MOST + 1 }, () => '');
  const down = last < first;
  return Array.from({ length: count }, (_, i) => {
    const value = first + (down ? -i : i) * step;
    return numbers ? String(value) : String.fromCodePoint(value);
  });
}
