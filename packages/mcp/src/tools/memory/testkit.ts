// Memory on a folder of its own, as its tests call it.
import type { Config } from '../../config.ts';
import { createToolFixture, type ToolFixture } from '../../lib/store/testkit.ts';
import { memory } from './index.ts';

export interface Fixture extends ToolFixture {
  /** the keys a list, recall or search gives, in order, over all its pages */
  keys(args: Record<string, unknown>): Promise<string[]>;
}

/** `folder`: an existing one, which `close` leaves there. */
export function createFixture(overrides: Partial<Config> = {}, folder?: string): Fixture {
  const fixture = createToolFixture(memory, overrides, folder);
  return Object.defineProperties(
    {
      keys: (args: Record<string, unknown>) =>
        fixture.pages(args, (data) => (data.entries ?? [data]).map((entry: { key: string }) => entry.key)),
    },
    Object.getOwnPropertyDescriptors(fixture),
  ) as Fixture;
}
