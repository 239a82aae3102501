import { defineConfig } from 'vite'

/** Builds the bundle for server-side rendering, with all its dependencies. */
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
