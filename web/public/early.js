// Asks for what the page at this address begins with while the program that draws it is still on its way: what it shows, and the
// code of the page itself. api.ts takes the answers; what nobody takes is lost, nothing else. The addresses are those of
// paths.ts, the requests those of the loaders; what code a page has, the build says (vite.config.ts).
(() => {
  const { pathname, search } = location;
  const first = new URLSearchParams(search);
  const asked = [];
  const pages = [];
  const [, projectId, recordId] = /^\/projects\/(\d+)\/records(?:\/([\w-]+))?$/.exec(pathname) ?? [];
  const tab = first.get('tab');
  if (!/^\/(sign-in|welcome)$/.test(pathname)) asked.push('/me');
  if (recordId) {
    pages.push('record');
    asked.push(`/records/${recordId}`);
    if (tab === 'conversation') asked.push(`/records/${recordId}/conversation`);
    if (tab === 'timeline' || tab === 'spans') asked.push(`/records/${recordId}/spans`);
    if (tab) pages.push('trace');
  } else if (projectId) {
    pages.push('records');
    if (!first.get('q')) asked.push(`/projects/${projectId}/records?limit=100`);
  }
  window.earlyAnswers = new Map(
    asked.map((path) => {
      const answer = fetch(`/api/v2${path}`, { headers: { 'x-requested-with': 'Dokima' } });
      // Whoever takes it hears of the failure.
      answer.catch(() => {});
      return [`/api/v2${path}`, answer];
    }),
  );
  const code = JSON.parse(document.querySelector('meta[name=pages]')?.content ?? '{}');
  for (const href of new Set(pages.flatMap((page) => code[page] ?? [])))
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'modulepreload', crossOrigin: '', href }),
    );
})();
