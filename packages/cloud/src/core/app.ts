// An app of the plane: its operations, its tables, its sources of tools. Apps know each other by their services only.
import type { Provider } from '@hanzo/tool';
import type { Migration } from '../ports/store.ts';
import type { Op } from './op.ts';

export interface App {
  /** `tool`, `iam`, ...: the first word of its routes, and its MCP tool */
  readonly name: string;
  readonly title: string;
  readonly ops: readonly Op[];
  /** in order; names are global and never change once released */
  readonly migrations: readonly Migration[];
  /** sources of tools it registers, in order */
  readonly providers?: readonly Provider[];
  /** after the migrations, before the first request */
  start?(): Promise<void>;
  /** after the last request */
  close?(): Promise<void>;
}
