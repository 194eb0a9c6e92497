import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Resource, readResources } from './build-api-guide.ts';
import { aliasesOf, passagesOf, withAliases } from './build-passages.ts';

const docs = fileURLToPath(new URL('../docs/', import.meta.url));

/** A page of the guide. `path` is its file in docs/ without `.md`, and its address under /guide. */
export type GuidePage = { path: string; title: string; summary: string };
export type GuideSection = { title: string; pages: GuidePage[] };

/** Returns the table of contents from docs/README.md: a section for each heading, a page for each line of its list. */
export const readContents = async (): Promise<GuideSection[]> => {
  const text = await readFile(join(docs, 'README.md'), 'utf8');
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      title: part.slice(0, part.indexOf('\n')).trim(),
      pages: [...part.matchAll(/^- \[(.+?)\]\((.+?)\.md\): (.+)$/gm)].map(([, title, path, summary]) => ({
        path: path!,
        title: title!,
        summary: summary!,
      })),
    }));
};

/** Returns a page for programs: a link to a file of the repository, which a service does not have, becomes the path of the file. */
export const twinOf = (page: string, text: string, known: ReadonlySet<string>): string =>
  text.replaceAll(/\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g, (link, words: string, target: string) => {
    if (/^(?:https?:|mailto:|#|\/)/.test(target) || /\.(?:png|svg|gif)$/.test(target)) return link;
    const { pathname } = new URL(target, `file:///docs/${page}.md`);
    if (known.has(pathname.replace(/^\/docs\//, '').replace(/\.md$/, ''))) return link;
    return `${words} (in the repository: \`${pathname.slice(1)}\`)`;
  });

/** Returns the skill for coding agents: docs/skill.md from its rules on, below what agents read before they decide to load it. */
const skillOf = (text: string): string => `---
name: dokima
description: Evaluate an AI system with Dokima. Use it to set up testcases and metrics, to add a judge and find out whether it may decide, to read why answers failed, and to decide whether a change of a prompt, model or agent may ship.
---

# Dokima

${text.slice(text.indexOf('## Rules'))}`;

/** The text for language models that https://llmstxt.org describes: what this is, and where each page is as Markdown. */
const llmsText = (sections: GuideSection[], resources: Resource[]): string => {
  const list = sections.map(({ title, pages }) => {
    const lines = pages.map((page) => `- [${page.title}](/guide/${page.path}.md): ${page.summary}`);
    return `## ${title}\n\n${lines.join('\n')}\n`;
  });
  return `# Dokima

> A self-hosted service that evaluates the outputs of AI systems with LLM judges, sandboxed code and people, and says how sure each number is.

The whole guide is one file at /llms-full.txt. The HTTP API is described at /openapi.json, and a page for each resource is listed below. Coding agents have
a skill at /skill.md and tools by the Model Context Protocol at /mcp.

${list.join('\n')}
## HTTP API

${resources.map(({ path, title, summary }) => `- [${title}](/guide/api/${path}.md): ${summary}`).join('\n')}
`;
};

/** Writes the guide into the built pages: each page as Markdown, the contents, the passages to search, llms.txt and llms-full.txt. */
export const buildGuide = async (dist: string): Promise<void> => {
  const sections = await readContents();
  const pages = sections.flatMap((section) => section.pages);
  const texts = await Promise.all(pages.map(({ path }) => readFile(join(docs, `${path}.md`), 'utf8')));
  const known = new Set(pages.map(({ path }) => path));
  const twins = pages.map(({ path }, i) => twinOf(path, texts[i]!, known));
  const resources = await readResources();
  const guide = join(dist, 'guide');
  await mkdir(guide, { recursive: true });
  await cp(join(docs, 'images'), join(guide, 'images'), { recursive: true });
  for (const [i, { path }] of pages.entries()) {
    await mkdir(dirname(join(guide, path)), { recursive: true });
    await writeFile(join(guide, `${path}.md`), twins[i]!);
  }
  await mkdir(join(guide, 'api'), { recursive: true });
  for (const { path, text } of resources) await writeFile(join(guide, 'api', `${path}.md`), text);
  const reference = resources.map((each) => ({ ...each, path: `api/${each.path}` }));
  const api = { title: 'HTTP API', pages: reference.map(({ text: _, ...page }) => page) };
  await writeFile(join(guide, 'contents.json'), JSON.stringify([...sections, api]));
  const aliases = aliasesOf(texts[pages.findIndex(({ path }) => path === 'glossary')]!);
  const passages = [
    ...withAliases(
      pages.flatMap(({ path }, i) => passagesOf(path, texts[i]!)),
      aliases,
    ),
    ...reference.flatMap(({ path, text }) => passagesOf(path, text)),
  ];
  await writeFile(join(guide, 'passages.json'), JSON.stringify(passages));
  await writeFile(join(dist, 'llms.txt'), llmsText(sections, resources));
  await writeFile(join(dist, 'llms-full.txt'), twins.join('\n\n'));
  await writeFile(join(dist, 'skill.md'), skillOf(twins[pages.findIndex(({ path }) => path === 'skill')]!));
};
