// Ports: the time and fresh identifiers, so that tests can say what they are.
export interface Clock {
  /** milliseconds since 1970 */
  now(): number;
}

export interface Ids {
  /** lower-case hex digits from a secure source */
  hex(bytes: number): string;
  uuid(): string;
}
