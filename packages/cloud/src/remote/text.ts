// Text from outside that a model or a person will read: what cannot be seen is taken out.

/**
 * Control characters but tab and line ends, soft hyphen, zero-width characters, bidirectional controls, invisible operators,
 * fillers, interlinear marks, variation selectors, tags, lone surrogates. Any of them can carry text that no reader sees.
 */
const UNSEEN =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}\p{Surrogate}]/gu;

/** Joiners that belong to what is written: within an emoji, and within the scripts that need them. */
const JOINED =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})|(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{M}])[\u200c\u200d](?=[\p{L}\p{M}])|(?<=[\p{Extended_Pictographic}\d#*])[\ufe0e\ufe0f]/gu;

/** The text without what cannot be seen, and whether there was any of it. */
export function cleaned(text: string): { readonly text: string; readonly changed: boolean } {
  if (text.search(UNSEEN) === -1) return { text, changed: false };
  const kept = new Set<number>();
  for (const match of text.matchAll(JOINED)) kept.add(match.index);
  const made = text.replaceAll(UNSEEN, (each, at: number) => (kept.has(at) ? each : ''));
  return { text: made, changed: made !== text };
}

/** Whether a value is nested deeper than `most`; walks without recursion, so that depth cannot break it. */
export function deeperThan(value: unknown, most: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true;
    const next: unknown[] = [];
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue;
      for (const member of Object.values(each)) if (typeof member === 'object' && member !== null) next.push(member);
    }
    level = next;
  }
  return false;
}
