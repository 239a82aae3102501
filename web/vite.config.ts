import { fileURLToPath } from 'node:url'
import { defineConfig, type Rollup } from 'vite'
import { describeSite } from './build/describe-site.ts'

/** While developing, requests for data go to a service that runs beside it. */
const SERVICE = 'http://127.0.0.1:8080'
const PROXIED = ['/v4', '/platform', '/artwork', '/watch', '/docs', '/openapi.json']

/** The texts of the frame and the explorer: a file for each language. */
const TEXTS = /\/src\/messages\/(?:layout|explorer)\/(\w\w)\.ts$/

/** What all texts need, so that they wait for nothing else. */
const PLURAL = /\/src\/i18n\/language\.ts$/

const SMALL_PARTS = /\/src\/(?:components|explorer\/components|data|i18n)\//

let started: Set<string> | undefined

/** All that is loaded with the start of the site. */
function fromTheStart(getModuleInfo: Rollup.GetModuleInfo): ReadonlySet<string> {
  if (started === undefined) {
    started = new Set([fileURLToPath(new URL('src/entry-client.tsx', import.meta.url))])
    for (const id of started) for (const next of getModuleInfo(id)?.importedIds ?? []) started.add(next)
  }
  return started
}

export default defineConfig({
  plugins: [describeSite],
  build: {
    target: 'es2022',
    // The policy of the pages allows no data URLs, and browsers that know this target preload modules by themselves.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rollupOptions: {
      output: {
        onlyExplicitManualChunks: true,
        manualChunks(id, { getModuleInfo }) {
          const language = TEXTS.exec(id)?.[1]
          if (language !== undefined) return `texts-${language}`
          if (PLURAL.test(id) || fromTheStart(getModuleInfo).has(id)) return 'start'
          // Small parts that the start page can do without come in one file, not in a dozen.
          return SMALL_PARTS.test(id) ? 'parts' : undefined
        },
      },
    },
  },
  server: { proxy: Object.fromEntries(PROXIED.map((path) => [path, { target: SERVICE }])) },
})
