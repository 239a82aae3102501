import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { availableParallelism, freemem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

const SOURCE = fileURLToPath(new URL('server/src/', import.meta.url))
const BUILT = fileURLToPath(new URL('server/dist/', import.meta.url))

/**
 * Imports the server's modules as they were built, `--mode built`. Node loads them itself: without transforming them in Vitest
 * and wrapping them again in each process.
 */
const builtServer: Plugin = {
  name: 'built-server',
  enforce: 'pre',
  async resolveId(id, importer, options) {
    if (!id.startsWith('.') || importer === undefined) return null
    const found = await this.resolve(id, importer, { ...options, skipSelf: true })
    if (!found?.id.startsWith(SOURCE) || !/(?<!\.test)\.ts$/.test(found.id)) return null
    return { id: `${BUILT}${found.id.slice(SOURCE.length, -3)}.js`, external: true }
  },
}

const MEMORY = '/dev/shm'
const MIN_FREE_BYTES = 4 * 2 ** 30

/**
 * Whether temporary folders can be in memory. On a disk, tests that commit often wait for it, since every commit is flushed. What a
 * killed process leaves is the same in both. Containers may have little space there, or allow no programs.
 */
function hasMemoryFolder(): boolean {
  let folder: string | undefined
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    if (Math.min(bavail * bsize, freemem()) < MIN_FREE_BYTES) return false
    folder = mkdtempSync(join(MEMORY, 'marquee-try-'))
    const program = join(folder, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 })
    execFileSync(program)
    return true
  } catch {
    return false
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  }
}

// Test processes and all that they start inherit it.
if (process.env.TMPDIR === undefined && hasMemoryFolder()) process.env.TMPDIR = MEMORY

const shared = {
  pool: 'forks',
  // Files of one process share their modules: loading them again took a third of the time.
  isolate: false,
  // What `--mode built` imports in place of the sources.
  server: { deps: { external: [/\/server\/dist\//] } },
  setupFiles: ['server/test/support/each-file-setup.ts'],
  // These end what hangs. They are far above what any test takes, also on a machine that is busy with other work.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  // Projects do not take this from the common options.
  expect: { poll: { timeout: 120_000 } },
} as const

export default defineConfig(({ mode }) => {
  const plugins = mode === 'built' ? [builtServer] : []
  return {
    test: {
      globalSetup: ['server/test/support/postgres-setup.ts', 'server/test/support/demo-setup.ts'],
      // One more than the cores, because tests wait for browsers, child processes and PostgreSQL. More gain nothing.
      maxWorkers: availableParallelism() + 1,
      reporters: ['default', './scripts/closing-line-reporter.mjs'],
      // All tests once, and the API tests that write a second time on the ledger in PostgreSQL.
      projects: [
        {
          plugins,
          test: { ...shared, name: 'local', include: ['{bench,client,server,web}/{src,test}/**/*.test.ts'] },
        },
        {
          plugins,
          test: {
            ...shared,
            name: 'postgres',
            include: ['server/test/api/**/*.test.ts'],
            // Those that only read a catalog as one import made it: a node answers from its copy, with the same code.
            exclude: [
              'server/test/api/{fuzz,*-search,title-search-*,more-filters,similar-shows,several-countries}.test.ts',
              'server/test/api/{resources-*,show-by-id,many-shows,people,key-order,pagination-envelope}.test.ts',
              'server/test/api/{fields-and-includes,localization,countries-genres,errors}.test.ts',
              'server/test/api/contract/{errors,objects,parameters,headers}.test.ts',
            ],
            env: { MARQUEE_TEST_LEDGER: 'postgres' },
          },
        },
      ],
    },
  }
})
