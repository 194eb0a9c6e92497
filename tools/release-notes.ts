import { readFileSync } from 'node:fs';

/**
 * Prints the section of a version in CHANGELOG.md, as the notes of its release. A candidate (0.2.0-rc.1) has the section of its version, which may
 * still be marked unreleased. Exits with 1 if there is none. Usage: node tools/release-notes.ts VERSION.
 */
export const releaseNotes = (changelog: string, version: string): string => {
  const [released, candidate] = version.split('-');
  const section = changelog.split(/^## /m).find((text) => text.split(/\s/, 1)[0] === released);
  const [title = '', ...lines] = section?.split('\n') ?? [];
  const notes = lines.join('\n').trim();
  if (!notes) throw new Error(`CHANGELOG.md has no section "## ${released}".`);
  if (!candidate && title.includes('unreleased'))
    throw new Error(`CHANGELOG.md says that ${released} is unreleased. Write its date instead.`);
  return notes;
};

if (import.meta.main) {
  const [version = ''] = process.argv.slice(2);
  const changelog = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8');
  try {
    process.stdout.write(`${releaseNotes(changelog, version)}\n`);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
