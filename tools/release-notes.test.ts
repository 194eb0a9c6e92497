import { expect, it } from 'vitest';
import { releaseNotes } from './release-notes.ts';

const changelog =
  '# Changelog\n\n## 0.2.0 (unreleased)\n\n- New.\n\n## 0.1.0 (2026-12-01)\n\n**Run**\n\n- First.\n';

it('the notes of a release are its section of the changelog', () => {
  expect(releaseNotes(changelog, '0.1.0')).toBe('**Run**\n\n- First.');
  expect(releaseNotes(changelog, '0.2.0-rc.1')).toBe('- New.');
});

it('a version that the changelog calls unreleased, or does not name, has none', () => {
  expect(() => releaseNotes(changelog, '0.2.0')).toThrow('is unreleased');
  expect(() => releaseNotes(changelog, '0.1')).toThrow('no section "## 0.1"');
});
