// How a tool that needs an answer from the client leaves its call; only the door catches this.
import type { InputRequired } from './host.ts';

/** Thrown by `CallContext.ask` on 2026-07-28 when the answers are not there yet; passes through a tool untouched. */
export class InputNeeded extends Error {
  override readonly name = 'InputNeeded';
  readonly required: InputRequired;

  constructor(required: InputRequired) {
    super('the client has to answer first');
    this.required = required;
  }
}
