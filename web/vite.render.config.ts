import { defineConfig } from 'vite'

/** Builds what the service renders pages with, and all that it takes: it needs no other package where it runs. */
export default defineConfig({
  build: {
    target: 'node20',
    ssr: 'src/first-view.tsx',
    outDir: 'dist/render',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  ssr: { noExternal: true },
})
