// JSON in its one canonical form (RFC 8785): members by UTF-16 code units, numbers and strings as ECMAScript writes them.

/** Rejects what has no canonical form: what is no JSON value, and numbers that are not finite. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`${value} has no form in JSON`);
    return JSON.stringify(value);
  }
  // a lone surrogate could not be written as UTF-8
  if (typeof value === 'string') return JSON.stringify(value.toWellFormed());
  if (Array.isArray(value)) return `[${value.map((each) => canonicalJson(each ?? null)).join(',')}]`;
  if (typeof value === 'object') {
    const members = Object.entries(value)
      .filter(([, each]) => each !== undefined)
      // by code units, not by anybody's language
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([name, each]) => `${JSON.stringify(name.toWellFormed())}:${canonicalJson(each)}`);
    return `{${members.join(',')}}`;
  }
  throw new TypeError(`a ${typeof value} has no form in JSON`);
}
