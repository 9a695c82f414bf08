// What a command wrote to one stream, as text a reader can take.

export interface Capture {
  /** bytes so far */
  readonly size: number;
}
