// Takes credentials out of what a service sent back: an echo of a request must not show what was sealed.
const MASK = '[credential]';
/** Shorter ones would take words out of ordinary text. */
const SHORTEST = 6;

/** The text without the secrets, as they stand and as JSON, base64 and URLs write them. */
export function scrubText(text: string, secrets: Iterable<string>): string {
  let clean = text;
  for (const form of formsOf(secrets)) clean = clean.replaceAll(form, MASK);
  return clean;
}

/** A JSON value likewise, names of members included. The same value where there is nothing to take out. */
export function scrub(value: unknown, secrets: Iterable<string>): unknown {
  const forms = formsOf(secrets);
  if (forms.length === 0) return value;
  return walk(value, (text) => forms.reduce((clean, form) => clean.replaceAll(form, MASK), text));
}

function formsOf(secrets: Iterable<string>): readonly string[] {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < SHORTEST) continue;
    forms.add(secret);
    forms.add(JSON.stringify(secret).slice(1, -1));
    forms.add(encodeURIComponent(secret));
    forms.add(Buffer.from(secret).toString('base64').replace(/=+$/, ''));
  }
  // the longest first, so that no part of one is left standing
  return [...forms].sort((a, b) => b.length - a.length);
}

function walk(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((each) => walk(each, clean));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [clean(name), walk(each, clean)]));
}
