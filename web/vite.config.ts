import { fileURLToPath } from 'node:url'
import { defineConfig, type Rollup } from 'vite'
import { buildForProduction } from './build/build-for-production.ts'
import { describeSite } from './build/describe-site.ts'
import { markdownGuides } from './build/markdown-guides.ts'

/** In development, API requests go to a service on this port. */
const SERVICE = 'http://127.0.0.1:8080'
const PROXIED = [
  '/v4',
  '/platform',
  '/artwork',
  '/watch',
  '/icons',
  '/cards',
  '/manifest.webmanifest',
  '/docs',
  '/openapi.json',
]

/** The message tables of layout and explorer: one file for each language. */
const TEXTS = /\/src\/messages\/(?:layout|explorer)\/(\w\w)\.ts$/

/** What all message tables import: in the start, so that they depend on nothing else. */
const PLURAL = /\/src\/i18n\/language\.ts$/

const SMALL_PARTS = /\/src\/(?:components|explorer\/components|data|i18n)\//

let startIds: Set<string> | undefined

/** All modules that the entry imports statically. */
function startModules(getModuleInfo: Rollup.GetModuleInfo): ReadonlySet<string> {
  if (startIds === undefined) {
    startIds = new Set([fileURLToPath(new URL('src/entry-client.tsx', import.meta.url))])
    for (const id of startIds) for (const next of getModuleInfo(id)?.importedIds ?? []) startIds.add(next)
  }
  return startIds
}

export default defineConfig({
  plugins: [buildForProduction, describeSite, markdownGuides],
  build: {
    target: 'es2022',
    // The content security policy allows no data URLs, and browsers of this target support module preloading.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rollupOptions: {
      output: {
        onlyExplicitManualChunks: true,
        manualChunks(id, { getModuleInfo }) {
          const language = TEXTS.exec(id)?.[1]
          if (language !== undefined) return `texts-${language}`
          if (PLURAL.test(id) || startModules(getModuleInfo).has(id)) return 'start'
          // Small modules beyond the start are bundled in one file, not in a dozen.
          return SMALL_PARTS.test(id) ? 'parts' : undefined
        },
      },
    },
  },
  server: { proxy: Object.fromEntries(PROXIED.map((path) => [path, { target: SERVICE }])) },
})
