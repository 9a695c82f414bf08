// The name a caller most likely meant. Used by every refusal that can say "did you mean".

/**
 * The candidate closest to `name` by optimal string alignment distance, or undefined when none is close enough
 * (at most a third of the longer length, at least one edit; one being the start of the other counts too, from four letters).
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = fold(name);
  let best: string | undefined;
  let bestScore = Infinity;
  for (const candidate of candidates) {
    const other = fold(candidate);
    if (Math.abs(other.length - wanted.length) > 16) continue;
    const score = distance(wanted, other);
    const limit = Math.max(1, Math.floor(Math.max(wanted.length, other.length) / 3));
    const starts = other.startsWith(wanted) || wanted.startsWith(other);
    const close = score <= limit || (starts && Math.min(wanted.length, other.length) >= 4);
    if (close && score < bestScore) {
      best = candidate;
      bestScore = score;
    }
  }
  return best;
}

function fold(name: string): string {
  return name
    .slice(0, 80)
    .toLowerCase()
    .replaceAll(/[-_\s]/g, '');
}

function distance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) value = Math.min(value, before[j - 2]! + 1);
      row.push(value);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length]!;
}
