import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, keyOf } from '../../api.ts';
import { serviceUrl } from '../../base.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { ErrorNote } from '../../ui/states.tsx';

const placeholder = 'ak_…';

const programs = {
  curl: (url: string, key: string, project: string) => `KEY=${key}
RUN=$(curl -s ${url}/api/v2/projects/${project}/runs -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' -d '{"metricIds":[]}' | sed -E 's/.*"id" ?: ?"([0-9]+)".*/\\1/')
curl ${url}/api/v2/runs/$RUN/records -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{"inputs":{"question":"Capital of France?"},"expected":{"answer":"Paris"},"outputs":{"answer":"Paris"}}'`,
  Python: (url: string, key: string, project: string) => `import json, urllib.request

def api(path, body):
    request = urllib.request.Request(
        "${url}/api/v2" + path,
        data=json.dumps(body).encode(),
        headers={"Authorization": "Bearer ${key}", "Content-Type": "application/json"},
    )
    return json.load(urllib.request.urlopen(request))

run = api("/projects/${project}/runs", {"metricIds": []})
print(api(f"/runs/{run['id']}/records", {
    "inputs": {"question": "Capital of France?"},
    "expected": {"answer": "Paris"},
    "outputs": {"answer": "Paris"},
}))`,
  TypeScript: (
    url: string,
    key: string,
    project: string,
  ) => `const api = async (path: string, body: unknown) => {
  const response = await fetch('${url}/api/v2' + path, {
    method: 'POST',
    headers: { authorization: 'Bearer ${key}', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.json();
};

const run = await api('/projects/${project}/runs', { metricIds: [] });
console.log(
  await api(\`/runs/\${run.id}/records\`, {
    inputs: { question: 'Capital of France?' },
    expected: { answer: 'Paris' },
    outputs: { answer: 'Paris' },
  }),
);`,
};
type Language = keyof typeof programs;
const languages = Object.keys(programs) as Language[];

/** A program that sends a record to this project, to copy and run, with a key created here. */
export const FirstRecord = ({ projectId }: { projectId: string }) => {
  const [language, setLanguage] = useState<Language>('curl');
  const makeKey = useMutation({
    mutationFn: () => api.createKey({ name: `For project ${projectId}` }),
    meta: { refreshes: [keyOf('listKeys')] },
  });
  const key = makeKey.data?.key ?? placeholder;
  return (
    <div className="flex max-w-3xl flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <fieldset className="flex" aria-label="Language">
          {languages.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === language}
              onClick={() => setLanguage(each)}
              className="h-7 rounded-md px-2 text-soft hover:text-ink aria-pressed:bg-sunken aria-pressed:font-medium aria-pressed:text-ink"
            >
              {each}
            </button>
          ))}
        </fieldset>
        <span className="flex-1" />
        {makeKey.data ? (
          <span role="status" className="text-soft">
            The key is filled in. It is shown only once.
          </span>
        ) : (
          <Button disabled={makeKey.isPending} onClick={() => makeKey.mutate()}>
            Create a key and fill it in
          </Button>
        )}
      </div>
      {makeKey.error && <ErrorNote error={makeKey.error} />}
      <CodeBlock text={programs[language](serviceUrl, key, projectId)} label="Copy the program" />
    </div>
  );
};
