// What the command table says of one operation: how it is called on a command line, and what it takes.
import type { Operation } from 'hanzoai';

export interface Member {
  /** in the request: `authHeader` */
  readonly name: string;
  /** on the command line, without its dashes: `auth-header` */
  readonly flag: string;
  /**
   * `list` is given by repeating the flag, `json` as JSON, `document` also by --FLAG-file, `secret` by --FLAG-env or
   * --FLAG-stdin only
   */
  readonly kind: 'text' | 'number' | 'boolean' | 'list' | 'json' | 'document' | 'secret';
  readonly required: boolean;
  readonly help: string;
  /** a closed list of values */
  readonly values?: readonly string[];
}

export interface Command extends Operation {
  /** `['tools', 'mcp', 'servers', 'create']` */
  readonly words: readonly string[];
  readonly summary: string;
  readonly description?: string;
  /** members of the path, in order */
  readonly positionals: readonly string[];
  /** the others */
  readonly members: readonly Member[];
  /** for operators of the plane; left out of help */
  readonly internal?: boolean;
}
