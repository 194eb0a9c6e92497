import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Preloads the font of every page: a browser that finds it in the stylesheet alone loads it too late for the first text. */
const preloadFont = (): Plugin => ({
  name: 'preload-font',
  transformIndexHtml: (_html, { bundle = {} }) =>
    Object.keys(bundle)
      .filter((name) => /inter-latin-wght-normal-.*\.woff2$/.test(name))
      .map((name) => ({
        tag: 'link',
        attrs: { rel: 'preload', href: `./${name}`, as: 'font', type: 'font/woff2', crossorigin: '' },
        injectTo: 'head-prepend',
      })),
});

export default defineConfig({
  // The service may be at a path of its address, which only it knows.
  base: './',
  plugins: [react(), tailwindcss(), preloadFont()],
  build: {
    target: 'es2022',
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // The code of every page in one file.
            { name: 'first', tags: ['$initial'], priority: 1 },
            // Code that several pages share, a chunk for each set of pages. No threshold merges small ones: merged chunks
            // can import each other, and one of them then runs before what it needs (web/test/chunks.test.ts).
            { name: 'shared', minShareCount: 2, entriesAware: true },
          ],
        },
      },
    },
  },
  // `vite` alone serves the pages with hot reload; the API is the service on its usual port.
  server: {
    proxy: { '/api': 'http://localhost:3000', '^/guide/.*[.](md|json|svg|png)$': 'http://localhost:3000' },
  },
});
