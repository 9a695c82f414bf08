// What running a command needs of a call and of the server: a part of what every local action has.
import type { CallContext } from '@hanzo/tool';
import type { Config } from '../../config.ts';
import type { Access } from '../access.ts';
import type { ProcessTable } from '../processes/table.ts';
import type { Sandbox } from '../sandbox/index.ts';
import type { Classify } from './verdict.ts';

export interface CommandContext extends Pick<CallContext, 'signal' | 'progress'> {
  /** most UTF-8 bytes of the answer's text */
  readonly maxOutput: number;
  readonly env: {
    readonly config: Config;
    readonly access: Access;
    readonly processes: ProcessTable;
    /** judges commands; without one nothing is judged or refused */
    readonly classify?: Classify;
    /** confines commands; without one they run as they are */
    readonly sandbox?: Sandbox;
  };
}
