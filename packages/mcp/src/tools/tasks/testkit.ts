// Tasks on a folder of its own, as its tests call it.
import type { Config } from '../../config.ts';
import { createToolFixture, type ToolFixture } from '../../lib/store/testkit.ts';
import { tasks } from './index.ts';

export interface Fixture extends ToolFixture {
  /** the items a list, search or subtasks gives, in order, over all its pages */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into items of every shape
  all(args: Record<string, unknown>): Promise<any[]>;
}

/** `folder`: an existing one, which `close` leaves there. */
export function createFixture(overrides: Partial<Config> = {}, folder?: string): Fixture {
  const fixture = createToolFixture(tasks, overrides, folder);
  return Object.defineProperties(
    { all: (args: Record<string, unknown>) => fixture.pages(args, (data) => data.items) },
    Object.getOwnPropertyDescriptors(fixture),
  ) as Fixture;
}
