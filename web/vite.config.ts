import { readFileSync } from 'node:fs';
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

/**
 * Gives the scripts that run before all others names with a hash of their content, under which they may be kept: asked for
 * anew with each page, they held up the requests for what it shows.
 */
const hashFirstScripts = (): Plugin => ({
  name: 'hash-first-scripts',
  apply: 'build',
  buildStart() {
    for (const name of ['theme.js', 'early.js'])
      this.emitFile({
        type: 'asset',
        name,
        source: readFileSync(new URL(`public/${name}`, import.meta.url)),
      });
  },
  transformIndexHtml: (html, { bundle = {} }) =>
    Object.values(bundle).reduce(
      (page, file) =>
        file.type === 'asset' && /\/(theme|early)-[^/]+\.js$/.test(file.fileName)
          ? page.replace(`"/${file.names[0]}"`, `"/${file.fileName}"`)
          : page,
      html,
    ),
});

/** Pages that are opened by their address most, and where their code is; early.js knows which address is which. */
const firstPages = {
  records: 'src/records/records-page.tsx',
  record: 'src/records/record-page.tsx',
  trace: 'src/traces/trace-tab.tsx',
};

/** Names in the page what the code of these pages is made of, so that early.js can ask for it along with the program. */
const namePages = (): Plugin => ({
  name: 'name-pages',
  transformIndexHtml: (html, { bundle = {} }) => {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
    const withImports = (names: string[]): Set<string> => {
      const all = new Set(names);
      for (const name of all)
        for (const each of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) all.add(each);
      return all;
    };
    const program = withImports(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
    const pages = Object.entries(firstPages).map(([page, source]) => {
      const own = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/${source}`));
      const files = [...withImports(own ? [own.fileName] : [])].filter((name) => !program.has(name));
      return [page, files.map((name) => `/${name}`)];
    });
    // Names of files hold no quotes. Before the scripts, and behind the charset, which must stand within the first kilobyte.
    const meta = `<meta name="pages" content='${JSON.stringify(Object.fromEntries(pages))}' />`;
    return html.replace('<title>', `${meta}\n    <title>`);
  },
});

export default defineConfig({
  plugins: [react(), tailwindcss(), preloadFaces(), hashFirstScripts(), namePages()],
  build: {
    target: 'es2022',
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What every page begins with, as one file.
            { name: 'first', tags: ['$initial'], priority: 1 },
            // What several pages share: an icon or a query by itself would cost more to ask for than it weighs.
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 20_000 },
          ],
        },
      },
    },
  },
  // `vite` alone serves the pages with hot reload; the API is the service on its usual port.
  server: { proxy: { '/api': 'http://localhost:3000' } },
});
