#!/usr/bin/env node
// Plain JavaScript that any Node reads, so that an old one gets a sentence and no syntax error.
const [name = 'serve', ...rest] = process.argv.slice(2);
/** Programs of the service. The command line has their help, and all other commands. */
const programs = {
  serve: 'start',
  worker: 'start',
  backup: 'src/operate/backup',
  restore: 'src/operate/restore',
  examine: 'src/operate/doctor',
  // For dokima verify: it needs the statistics, and no service.
  recompute: 'src/operate/recompute',
};
/** How many words follow the name. */
const takes = { serve: 0, worker: 0, backup: 1, restore: 1, examine: 0, recompute: 0 };

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `dokima: this needs Node 24 or newer, and this is Node ${process.versions.node}. Install Node 24 from https://nodejs.org, or put it in front of the command: npx -p node@24 -p dokima dokima`,
  );
  process.exitCode = 4;
} else {
  // Not imports: the names that a module of Node exports are read one by one, and those of node:fs load its streams.
  const [{ existsSync }, module, { fileURLToPath }] = ['fs', 'module', 'url'].map((of) =>
    process.getBuiltinModule(`node:${of}`),
  );
  // Each later start is a third faster. Without the right to write there, there is no cache.
  module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/dokima', import.meta.url)));
  const isProgram =
    Object.hasOwn(programs, name) && rest.length === takes[name] && !/^-./.test(rest[0] || '');
  // The program takes the words after its name; server/start.js takes the worker's name too.
  if (isProgram && name !== 'worker') process.argv.splice(2, 1);
  // The repository has sources. The published package has what is made from them: the command line is built into one file.
  const [source, built] = isProgram
    ? [`../../server/${programs[name]}.ts`, `../../server/${programs[name]}.js`]
    : ['../src/main.ts', '../../server/dist/cli.js'];
  const at = new URL(source, import.meta.url);
  import(existsSync(at) ? at.href : new URL(built, import.meta.url).href);
}
