// The last net before something is kept for good: members that hold secrets by name, and texts that are keys by their form.

const SECRET_NAME =
  /secret|password|passwd|passphrase|token|credential|authorization|cookie|private_?key|api_?key|access_?key|^key$|^value$|jwt|otp/i;

/** Forms that only keys have (those of contract, tool plane 2.8, and our own). */
const SECRET_FORM =
  /\b(?:sk|pk)-[A-Za-z0-9_-]{16,}|\bgh[a-z]_[A-Za-z0-9]{20,}|\bxox[a-z]-[A-Za-z0-9-]{10,}|\bAKIA[A-Z0-9]{12,}|\beyJ[\w-]{8,}\.[\w-]+\.[\w-]+|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*-----|$)|\bBearer\s+\S+/gi;

const REDACTED = '[redacted]';
const LONGEST = 1000;
const DEEPEST = 8;

export function redactText(text: string, longest: number = LONGEST): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return cut.replaceAll(SECRET_FORM, REDACTED);
}

/** A JSON value with secrets taken out and its size bounded. Anything that is no JSON value is left out. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object' || depth >= DEEPEST) return undefined;
  if (Array.isArray(value)) return value.slice(0, 256).map((each) => redact(each, depth + 1) ?? null);
  const members: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, each] of Object.entries(value).slice(0, 256)) {
    // what says that there is a secret is not one
    const telling = typeof each === 'boolean' || each === null;
    members[name] = SECRET_NAME.test(name) && !telling ? REDACTED : redact(each, depth + 1);
  }
  return members;
}
