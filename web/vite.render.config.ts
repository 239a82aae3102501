import { defineConfig } from 'vite'
import { markdownGuides } from './build/markdown-guides.ts'

/** Builds the bundle for server-side rendering, with all its dependencies. */
export default defineConfig({
  plugins: [markdownGuides],
  // Nothing changes while a page is rendered, so that components need not follow signals: that took a third of the time.
  resolve: { alias: { '@preact/signals': '@preact/signals-core' } },
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
