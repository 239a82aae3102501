import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** The check of the documents is run by hand (`npm run docs:check`): some pages take minutes. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../../..', import.meta.url)),
    include: ['server/test/documents/documents.check.ts'],
    globalSetup: ['server/test/support/demo-setup.ts'],
    setupFiles: ['server/test/support/each-file-setup.ts'],
    pool: 'forks',
    // Folders of pages that install packages take long to delete.
    hookTimeout: 60_000,
    reporters: ['default'],
  },
})
