// How the tests run: sources directly (the "hanzo-source" condition of each package), in forked processes,
// because many of them start children, sockets and repositories.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['hanzo-source'] },
  ssr: { resolve: { conditions: ['hanzo-source'], externalConditions: ['hanzo-source'] } },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'conformance/**/*.test.ts',
      'examples/**/*.test.ts',
      'scripts/**/*.test.ts',
    ],
    globalSetup: ['packages/cloud/src/store/testkit-run.ts'],
    pool: 'forks',
    // Node strips types by a WebAssembly module in every thread; see packages/search/src/worker.ts
    execArgv: ['--wasm-wrapper-tiering-budget=1000000000'],
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
