import { defineConfig } from 'vite'

/** Builds what the service renders pages with, and all that it takes: it needs no other package where it runs. */
export default defineConfig({
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
