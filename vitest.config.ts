import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const shared = {
  pool: 'forks',
  // Files that run in the same process share their modules: loading them anew took a third of the time.
  isolate: false,
  setupFiles: ['server/test/support/every-file.ts'],
  // Against waiting for ever only: on a busy machine everything takes as long as it takes.
  testTimeout: 300_000,
  hookTimeout: 300_000,
} as const

export default defineConfig({
  test: {
    globalSetup: ['server/test/support/postgres-setup.ts', 'server/test/support/demo-setup.ts'],
    // Much of the time goes by in waiting: for browsers, for processes that start, for PostgreSQL.
    maxWorkers: availableParallelism() + 1,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default', './scripts/closing-line-reporter.mjs'],
    // All tests once, and those of the API once more on the other ledger.
    projects: [
      {
        test: { ...shared, name: 'local', include: ['{bench,client,server,web}/{src,test}/**/*.test.ts'] },
      },
      {
        test: {
          ...shared,
          name: 'postgres',
          include: ['server/test/api/**/*.test.ts'],
          env: { MARQUEE_TEST_LEDGER: 'postgres' },
        },
      },
    ],
  },
})
