import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { etagOf } from '../../../../client/src/etags.ts';
import { api, apiQuery, issuesOf, keyOf } from '../../api.ts';
import { useMay } from '../../resources/session/me.ts';
import type { ProjectSettings, RetentionPreview } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Input } from '../../ui/field.tsx';
import { OutdatedNote, useOutdated } from '../../ui/outdated.tsx';
import { ErrorNote } from '../../ui/states.tsx';

const daysOf = (text: string): number | null => (text === '' ? null : Number(text));
const textOf = (days: number | null): string => (days === null ? '' : String(days));
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

/** The days as they are typed, what a purge by them would delete, and what stores them. */
const useRetention = (projectId: string, stored: ProjectSettings) => {
  const [records, setRecords] = useState(textOf(stored.recordDays));
  const [traces, setTraces] = useState(textOf(stored.traceDays));
  const asked = { recordDays: daysOf(records), traceDays: daysOf(traces) };
  const isValid = isDays(asked.recordDays) && isDays(asked.traceDays);
  const next = useQuery({
    ...apiQuery('previewRetention', projectId, {
      ...(asked.recordDays !== null && { recordDays: asked.recordDays }),
      ...(asked.traceDays !== null && { traceDays: asked.traceDays }),
    }),
    enabled: isValid,
  });
  const outdated = useOutdated(
    { recordDays: stored.recordDays, traceDays: stored.traceDays },
    asked,
    (now) => {
      setRecords(textOf(now.recordDays));
      setTraces(textOf(now.traceDays));
    },
  );
  const save = useMutation({
    mutationFn: () => api.updateProjectSettings(projectId, asked, { ifMatch: etagOf(stored) }),
    meta: { refreshes: [keyOf('getProjectSettings', projectId)] },
  });
  return { records, setRecords, traces, setTraces, asked, isValid, found: next.data, outdated, save };
};

export const RetentionForm = ({ projectId, stored }: { projectId: string; stored: ProjectSettings }) => {
  const may = useMay();
  const { records, setRecords, traces, setTraces, asked, isValid, found, outdated, save } = useRetention(
    projectId,
    stored,
  );
  const issue = issuesOf(save.error);
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
      <OutdatedNote outdated={outdated} />
      {save.error && !outdated && !issue('/recordDays') && !issue('/traceDays') && (
        <ErrorNote error={save.error} />
      )}
      {may.administerProject && (
        <div>
          <Button
            look="primary"
            type="submit"
            disabled={!isValid || save.isPending || outdated !== undefined}
          >
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
