import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { apiQuery } from '../../api.ts';
import { paths } from '../../paths.ts';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { testsetsQuery } from '../../resources/testsets/queries.ts';
import { buttonClass } from '../../ui/button.tsx';

/** The way to a first result without code: testcases, a metric, a run. Finished steps are ticked. */
export const FirstSteps = ({ projectId }: { projectId: string }) => {
  const { data: testsets = [] } = useQuery(testsetsQuery(projectId));
  const { data: metrics = [] } = useQuery(metricsQuery(projectId));
  const { data: models } = useQuery(apiQuery('listJudgeModels'));
  const [testset] = testsets;
  const asksForModel = models !== undefined && models.defaultModelName === null;
  const steps = [
    ...(asksForModel
      ? [
          {
            title: 'Choose a judge model',
            text: 'It judges answers by criteria in words. Enter a provider and choose the default model; metrics by code or people need none.',
            isDone: false,
            link: paths.providers(),
            action: 'Choose model',
          },
        ]
      : []),
    {
      title: 'Import testcases',
      text: 'A spreadsheet or CSV file: one line for each question, with the expected answer beside it. Or let a model write drafts.',
      isDone: testset !== undefined,
      link: paths.testsets(projectId),
      action: 'Import testcases',
    },
    {
      title: 'Choose what to measure',
      text: 'Take a metric from the library: exact match, correctness judged by a model, or a score by people.',
      isDone: metrics.length > 0,
      link: paths.newMetric(projectId),
      action: 'Create metric',
    },
    {
      title: 'Run it',
      text: 'Dokima asks a model with your prompt, or calls your endpoint, for each testcase, and scores the answers.',
      isDone: false,
      link: paths.newRun(projectId, testset?.id),
      action: 'Start run',
    },
  ];
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <ol className="grid max-w-4xl gap-3 md:grid-cols-[repeat(auto-fit,minmax(12rem,1fr))]">
      {steps.map(({ title, text, isDone, link, action }, i) => (
        <li key={title} className="flex flex-col items-start gap-2 rounded-md border p-3">
          <h3 className="flex items-center gap-2 font-medium">
            <span className="inline-flex size-5 items-center justify-center rounded-full bg-sunken text-sm text-soft">
              {isDone ? <Check size={12} aria-label="Done" /> : i + 1}
            </span>
            {title}
          </h3>
          <p className="flex-1 text-soft">{text}</p>
          <Link {...link} className={buttonClass(i === next ? 'primary' : 'plain')}>
            {action}
          </Link>
        </li>
      ))}
    </ol>
  );
};
