import { defineConfig, type Plugin } from 'vite'
import { PAGE_PATHS } from './src/paths.ts'

/** Tells the service under which paths it has to answer with the page. */
const listPaths: Plugin = {
  name: 'list-paths',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'paths.json', source: `${JSON.stringify(PAGE_PATHS)}\n` })
  },
}

/** While developing, requests for data go to a service that runs beside it. */
const SERVICE = 'http://127.0.0.1:8080'
const PROXIED = ['/v4', '/platform', '/artwork', '/watch', '/docs', '/openapi.json']

export default defineConfig({
  plugins: [listPaths],
  build: {
    target: 'es2022',
    // The policy of the pages allows no data URLs, and browsers that know this target preload modules by themselves.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Small parts that most pages use come in one file, not in a dozen.
    rollupOptions: {
      output: { manualChunks: (id) => (/\/src\/(ui|explorer\/parts)\//.test(id) ? 'parts' : undefined) },
    },
  },
  server: { proxy: Object.fromEntries(PROXIED.map((path) => [path, { target: SERVICE }])) },
})
