import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{client,server,web}/{src,test}/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: ['default', './scripts/closing-line-reporter.mjs'],
  },
})
