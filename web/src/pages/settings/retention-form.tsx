import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, apiQuery, issuesOf, keyOf } from '../../api.ts';
import { useMay } from '../../resources/session/me.ts';
import type { ProjectSettings, RetentionPreview } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Input } from '../../ui/field.tsx';
import { ErrorNote } from '../../ui/states.tsx';

const daysOf = (text: string): number | null => (text === '' ? null : Number(text));
const isDays = (days: number | null) =>
  days === null || (Number.isInteger(days) && days >= 1 && days <= 36_500);
const countText = (n: number) => (n >= 100_000 ? 'at least 100,000' : n.toLocaleString());

const reasonTexts: Record<keyof RetentionPreview['keptBecause'], string> = {
  annotated: 'annotated',
  assigned: 'assigned',
  tagged: 'tagged by people',
  reviewed: 'reviewed',
  scored: 'scored by people',
  pinned: 'checking a judge',
  inKeptRun: 'in a kept run',
};
/** Returns the counts by reason in parentheses; an empty text if nothing is kept. */
const keptText = (because: RetentionPreview['keptBecause']): string => {
  const found = Object.entries(reasonTexts).flatMap(([reason, text]) => {
    const n = because[reason as keyof typeof because];
    return n > 0 ? [`${countText(n)} ${text}`] : [];
  });
  return found.length === 0 ? '' : `(${found.join(', ')})`;
};

export const RetentionForm = ({ projectId, stored }: { projectId: string; stored: ProjectSettings }) => {
  const may = useMay();
  const [records, setRecords] = useState(stored.recordDays === null ? '' : String(stored.recordDays));
  const [traces, setTraces] = useState(stored.traceDays === null ? '' : String(stored.traceDays));
  const asked = { recordDays: daysOf(records), traceDays: daysOf(traces) };
  const isValid = isDays(asked.recordDays) && isDays(asked.traceDays);
  const next = useQuery({
    ...apiQuery('previewRetention', projectId, {
      ...(asked.recordDays !== null && { recordDays: asked.recordDays }),
      ...(asked.traceDays !== null && { traceDays: asked.traceDays }),
    }),
    enabled: isValid,
  });
  const save = useMutation({
    mutationFn: () => api.updateProjectSettings(projectId, asked),
    meta: { refreshes: [keyOf('getProjectSettings', projectId)] },
  });
  const issue = issuesOf(save.error);
  const found = next.data;
  return (
    <form
      className="flex max-w-2xl flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <Input
          label="Delete records after days"
          type="number"
          min={1}
          max={36_500}
          hint="Empty: never."
          disabled={!may.administerProject}
          error={issue('/recordDays')}
          value={records}
          onChange={setRecords}
        />
        <Input
          label="Delete traces after days"
          type="number"
          min={1}
          max={36_500}
          hint="Empty: never."
          disabled={!may.administerProject}
          error={issue('/traceDays')}
          value={traces}
          onChange={setTraces}
        />
      </div>
      <KeptRecords />
      {isValid && found && (asked.recordDays !== null || asked.traceDays !== null) && (
        <p role="status">
          With these settings the next purge deletes {countText(found.numRecords)} records and{' '}
          {countText(found.numTraces)} traces, and keeps {countText(found.numKeptRecords)} older records
          {keptText(found.keptBecause)}. A purge runs every minute; what it deletes cannot be restored.
        </p>
      )}
      {save.error && !issue('/recordDays') && !issue('/traceDays') && <ErrorNote error={save.error} />}
      {may.administerProject && (
        <div>
          <Button look="primary" type="submit" disabled={!isValid || save.isPending}>
            Save retention
          </Button>
        </div>
      )}
    </form>
  );
};

const KeptRecords = () => (
  <p className="text-soft">
    A record is deleted with its scores and traces. These records are kept: those with annotations, tags by
    people, assignees, reviews or scores by people (not scores that a client sends for other metrics); those
    that check a judge; and those of the newest run with each mark on a testset, the baseline of later runs.
  </p>
);
