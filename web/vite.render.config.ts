import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { buildForProduction } from './build/build-for-production.ts'
import { markdownGuides } from './build/markdown-guides.ts'

/** Builds the bundle for server-side rendering, with all its dependencies. */
export default defineConfig({
  plugins: [buildForProduction, markdownGuides],
  // Nothing changes while a page is rendered, so that components need neither follow signals nor keep state, nor elements
  // what a later render compares them with.
  resolve: {
    alias: {
      '@preact/signals': '@preact/signals-core',
      'preact/hooks': source('src/app/server-hooks.ts'),
      'preact/jsx-runtime': source('src/app/server-jsx.ts'),
      'preact-render-to-string': source('src/app/server-jsx.ts'),
      preact: source('src/app/server-jsx.ts'),
    },
  },
  build: {
    target: 'node20',
    ssr: 'src/entry-server.tsx',
    outDir: 'dist/render',
    // The name under which the package exports it.
    rollupOptions: { output: { entryFileNames: 'first-view.js' } },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  ssr: { noExternal: true },
})

function source(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}
