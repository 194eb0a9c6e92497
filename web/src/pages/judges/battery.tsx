import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, apiQuery, keyOf } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { useMay } from '../../resources/session/me.ts';
import { Biases, biasNames } from '../../resources/trials/biases.tsx';
import { BudgetInput } from '../../resources/trials/budget-input.tsx';
import { batteriesQuery } from '../../resources/trials/queries.ts';
import { shownState } from '../../resources/trials/state-badge.tsx';
import { TrialsTable } from '../../resources/trials/trials-table.tsx';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { download } from '../../ui/download.ts';
import { sentenceOf } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { ErrorNote, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

type Props = { projectId: string; metricId: string; configId: string };

/** The form that starts a battery: what it asks for and costs stands in it before. */
const StartBattery = ({
  metricId,
  configId,
  onClose,
}: Omit<Props, 'projectId'> & { onClose: () => void }) => {
  const [budget, setBudget] = useState('');
  const estimate = useQuery(
    apiQuery('estimateTrial', metricId, { kind: 'battery', metricConfigId: configId }),
  );
  const start = useMutation({
    mutationFn: () =>
      api.createTrial(metricId, {
        kind: 'battery',
        metricConfigId: configId,
        ...(budget !== '' && { budgetUsd: Number(budget) }),
      }),
    meta: { refreshes: [keyOf('listTrials')] },
    onSuccess: onClose,
  });
  const { data } = estimate;
  const left = data?.biases.filter(({ reason }) => reason !== null) ?? [];
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Test for biases"
      description="The judge decides the pinned records again as they are, twice, and with each edit that keeps the truth about them. Stored scores stay as they are."
      write={start}
      action="Start the battery"
      disabled={!data || data.numRecords === 0}
    >
      {estimate.error && <ErrorNote error={estimate.error} />}
      <p>{data ? sentenceOf(data.sentence) : 'Estimating the cost…'}</p>
      {data && data.numRecords > 0 && left.length > 0 && (
        <ul className="list-disc pl-4 text-sm text-soft">
          {left.map(({ bias, reason }) => (
            <li key={bias}>{sentenceOf(`${biasNames[bias]} does not apply: ${reason}`)}</li>
          ))}
        </ul>
      )}
      <BudgetInput value={budget} onChange={setBudget} />
    </FormDialog>
  );
};

/** The passport of the judge: what is signed, until when, and the file. */
export const PassportOfJudge = ({ metricId, configId }: Omit<Props, 'projectId'>) => {
  const passport = useQuery(apiQuery('getJudgePassport', metricId, { metricConfigId: configId }));
  const save = useMutation({
    mutationFn: () => api.getJudgePassport(metricId, { metricConfigId: configId }),
    onSuccess: (issued) =>
      download(`judge-${metricId}.json`, [`${JSON.stringify(issued, null, 2)}\n`], 'application/json'),
  });
  return (
    <Section title="Passport" actions={<Button onClick={() => save.mutate()}>Download the passport</Button>}>
      {save.error && <ErrorNote error={save.error} />}
      <Loaded query={passport} lines={2}>
        {({ payload: { issuedAt, expiresAt, expiryReason, batteryReason, metricHash }, signature }) => (
          <>
            <p>
              One signed file with the grade, the error rates, the labels by maker, drift and biases. Anyone
              can check it with the public key, without an account: <code>dokima judge verify</code>.
            </p>
            <p className="text-sm text-soft">
              {expiresAt > issuedAt ? 'Issued now, it would hold until ' : 'It expired '}
              <Time at={expiresAt} />: {expiryReason}. Configuration <code>{metricHash.slice(0, 16)}</code>,
              key <code>{signature.keyId}</code>.
            </p>
            {batteryReason && (
              <p className="text-sm text-soft">
                {sentenceOf(`Its battery does not count: ${batteryReason}`)}
              </p>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
};

/** Whether edits that keep the truth change the judge's verdicts: the newest battery, and the way to start one. */
export const BatteryOfJudge = ({ projectId, metricId, configId }: Props) => {
  const may = useMay();
  const [isStarting, setStarting] = useState(false);
  const batteries = useQuery(batteriesQuery(metricId));
  return (
    <Section
      title="Biases"
      actions={may.write && <Button onClick={() => setStarting(true)}>Test for biases</Button>}
    >
      <Loaded query={batteries} lines={2}>
        {({ data: [newest, ...others] }) =>
          newest ? (
            <>
              <Biases trial={newest} />
              <TrialsTable
                label="Batteries"
                rows={[newest, ...others].map((trial) => ({
                  ...trial,
                  state: shownState(trial),
                  key: trial.number,
                  link: (
                    <TextLink {...paths.trial(projectId, metricId, trial.number)}>
                      Battery {trial.number}
                    </TextLink>
                  ),
                  verdict: trial.sentence,
                }))}
              />
            </>
          ) : (
            <p className="text-soft">
              Not tested yet. A battery shows whether length, order, a name, authority, format or language
              change the verdicts, and whether the judge prefers its own model.
            </p>
          )
        }
      </Loaded>
      {isStarting && (
        <StartBattery metricId={metricId} configId={configId} onClose={() => setStarting(false)} />
      )}
    </Section>
  );
};
