import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const shared = {
  pool: 'forks',
  // Files of one process share their modules: loading them again took a third of the time.
  isolate: false,
  setupFiles: ['server/test/support/each-file-setup.ts'],
  // Tests that need longer set their own timeout.
  testTimeout: 60_000,
  hookTimeout: 60_000,
} as const

export default defineConfig({
  test: {
    globalSetup: ['server/test/support/postgres-setup.ts', 'server/test/support/demo-setup.ts'],
    // One more than the cores, because tests wait for browsers, child processes and PostgreSQL.
    maxWorkers: availableParallelism() + 1,
    expect: { poll: { timeout: 30_000 } },
    reporters: ['default', './scripts/closing-line-reporter.mjs'],
    // All tests once, and the API tests that write a second time on the ledger in PostgreSQL.
    projects: [
      {
        test: { ...shared, name: 'local', include: ['{bench,client,server,web}/{src,test}/**/*.test.ts'] },
      },
      {
        test: {
          ...shared,
          name: 'postgres',
          include: ['server/test/api/**/*.test.ts'],
          // Those that only read a catalog as one import made it: a node answers from its copy, with the same code.
          exclude: [
            'server/test/api/{fuzz,*-search,more-filters,similar-shows,several-countries}.test.ts',
            'server/test/api/{resources-*,show-by-id,many-shows,people,key-order,pagination-envelope}.test.ts',
            'server/test/api/{fields-and-includes,localization,countries-genres,errors}.test.ts',
            'server/test/api/contract/{errors,objects,parameters,headers}.test.ts',
          ],
          env: { MARQUEE_TEST_LEDGER: 'postgres' },
        },
      },
    ],
  },
})
