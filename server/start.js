// Starts a program of the service: node server/start.js [worker]. Plain JavaScript, because Node strips no types in node_modules.

// Not an import: the names that a module of Node exports are read one by one, and those of node:fs load its streams.
const { existsSync } = process.getBuiltinModule('node:fs');
const build = new URL('build-programs.ts', import.meta.url);
// The package has only what was built.
if (existsSync(build)) {
  const { freshPrograms } = await import(build.href);
  await freshPrograms();
}
const program = process.argv[2] === 'worker' ? 'worker' : 'main';
await import(new URL(`dist/${program}.js`, import.meta.url).href);
