import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, apiQuery, issuesOf, keyOf } from '../../api.ts';
import { metricsQuery } from '../../resources/metrics/queries.ts';
import { nameOfVersion, systemsQuery } from '../../resources/systems/queries.ts';
import type { Seal } from '../../types.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input, optionsOf, Select } from '../../ui/field.tsx';
import { say } from '../../ui/toast.tsx';

type OfTestset = { projectId: string; testsetId: string; onClose: () => void };

/** The versions of the project's systems as options, the first one an invitation to choose. */
const useVersions = (projectId: string) => {
  const { data: systems = [] } = useQuery(systemsQuery(projectId));
  return [
    { value: '', label: 'Choose a version' },
    ...systems.flatMap(({ name, versions }) =>
      versions
        .toReversed()
        .map((version) => ({ value: version.id, label: `${name}, ${nameOfVersion(version)}` })),
    ),
  ];
};

const choices = optionsOf({ unseen: 'only those that were in no run', all: 'also those that were in runs' });

type MetricSelectProps = {
  projectId: string;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
};

/** Chooses a metric that the service scores without people. */
const MetricSelect = ({ projectId, ...props }: MetricSelectProps) => {
  const { data: metrics = [] } = useQuery(metricsQuery(projectId));
  const options = metrics
    .filter(({ evalType }) => evalType !== 'human')
    .map(({ id, name }) => ({ value: id, label: name }));
  return <Select label="Metric" options={[{ value: '', label: 'Choose a metric' }, ...options]} {...props} />;
};

/** Seals a share of the testcases. */
export const SealDialog = ({ projectId, testsetId, onClose }: OfTestset) => {
  const [q, setQ] = useState('');
  const [percent, setPercent] = useState('30');
  const [which, setWhich] = useState<'unseen' | 'all'>('unseen');
  const [baseline, setBaseline] = useState('');
  const [metric, setMetric] = useState('');
  const [looks, setLooks] = useState('20');
  const versions = useVersions(projectId);
  const share = Number(percent) / 100;
  const write = useMutation({
    mutationFn: () =>
      api.createSeal(testsetId, {
        ...(q.trim() !== '' && { q: q.trim() }),
        ...(share < 1 && { share }),
        unseen: which === 'unseen',
        baselineVersionId: baseline,
        metricIds: [metric],
        maxLooks: Number(looks),
      }),
    meta: {
      refreshes: [
        keyOf('listSeals', testsetId),
        keyOf('listTestcases', testsetId),
        keyOf('getTestsetCounts', testsetId),
      ],
    },
    onSuccess: ({ sentence }) => {
      say(sentence);
      onClose();
    },
  });
  const issueAt = issuesOf(write.error);
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Seal testcases"
      description="No one reads them until their looks are spent: they leave this list, searches and exports. A look says whether a version passes."
      write={write}
      action="Seal"
      disabled={baseline === '' || metric === ''}
    >
      <Input label="Search" hint="Empty: all testcases." value={q} onChange={setQ} />
      <Input label="Share in percent" inputMode="decimal" value={percent} onChange={setPercent} />
      <Select label="Testcases" value={which} options={choices} onChange={setWhich} />
      <Select
        label="Baseline"
        value={baseline}
        options={versions}
        onChange={setBaseline}
        error={issueAt('/baselineVersionId')}
      />
      <MetricSelect {...{ projectId }} value={metric} onChange={setMetric} error={issueAt('/metricIds/0')} />
      <Input
        label="Looks"
        inputMode="numeric"
        value={looks}
        onChange={setLooks}
        error={issueAt('/maxLooks')}
      />
    </FormDialog>
  );
};

/** Looks at a version over a sealed split. */
export const LookDialog = ({ projectId, seal, onClose }: Omit<OfTestset, 'testsetId'> & { seal: Seal }) => {
  const [version, setVersion] = useState('');
  const versions = useVersions(projectId);
  const write = useMutation({
    mutationFn: () => api.createSealedLook(seal.id, { systemVersionId: version }),
    meta: { refreshes: [apiQuery('listSealedLooks', seal.id).queryKey, keyOf('listSeals', seal.testsetId)] },
    onSuccess: onClose,
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Look at a version"
      description={`The service calls it with ${seal.numTestcases} sealed testcases. Takes one of ${seal.maxLooks - seal.numLooks} looks that are left, unless this version was looked at.`}
      write={write}
      action="Look"
      disabled={version === ''}
    >
      <Select
        label="Version"
        value={version}
        options={versions}
        onChange={setVersion}
        error={issuesOf(write.error)('/systemVersionId')}
      />
    </FormDialog>
  );
};
