import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Has the browser fetch both faces along with the first script: found in the stylesheet alone, they would come too late for it. */
const preloadFaces = (): Plugin => ({
  name: 'preload-faces',
  transformIndexHtml: (_html, { bundle = {} }) =>
    Object.keys(bundle)
      .filter((name) => /-latin-wght-normal-.*\.woff2$/.test(name))
      .map((name) => ({
        tag: 'link',
        attrs: { rel: 'preload', href: `/${name}`, as: 'font', type: 'font/woff2', crossorigin: '' },
        injectTo: 'head-prepend',
      })),
});

export default defineConfig({
  plugins: [react(), tailwindcss(), preloadFaces()],
  build: { target: 'es2022', chunkSizeWarningLimit: 700 },
  // `vite` alone serves the pages with hot reload; the API is the service on its usual port.
  server: { proxy: { '/api': 'http://localhost:3000' } },
});
