import { useQuery } from '@tanstack/react-query';
import { Scale } from 'lucide-react';
import { useState } from 'react';
import { apiQuery } from '../../api.ts';
import type { RunSummary } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Input, Select } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { readWeights, type Share, sharesSum, writeShares } from './written-weights.ts';

/** Returns the parameters of the weights in an address. */
export const weightsOf = (weights: string | undefined): { weightBy?: string; shares?: string } => {
  if (!weights) return {};
  return readWeights(weights).shares ? { shares: weights } : { weightBy: weights };
};

type ChoiceProps = {
  /** The run whose testcases have the fields. */
  run: { id: string; testset: { fieldMapping: { metadata?: string[] } } | null } | undefined;
  weights: string | undefined;
  onChange: (weights: string | undefined) => void;
  /** Called when the dialog opens, where the run is read only then. */
  onOpen?: () => void;
};

/** Asks what the testcases stand for. The button says by what they are weighed. */
export const WeightChoice = ({ run, weights, onChange, onOpen }: ChoiceProps) => {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button
        onClick={() => {
          setOpen(true);
          onOpen?.();
        }}
        aria-haspopup="dialog"
      >
        <Scale size={14} aria-hidden />
        <span className="max-w-64 truncate">
          {weights ? `Weighed by ${readWeights(weights).field}` : 'Weigh testcases'}
        </span>
      </Button>
      {isOpen && (
        <Dialog
          open
          onClose={close}
          title="Weigh testcases"
          description="Rates, means and differences become those of the traffic that the testcases stand for."
        >
          <WeightForm
            run={run}
            weights={weights}
            onChange={(next) => {
              close();
              onChange(next);
            }}
          />
        </Dialog>
      )}
    </>
  );
};

type Kind = 'number' | 'shares';
const kinds: { value: Kind; label: string }[] = [
  { value: 'shares', label: 'Shares of its values in the traffic' },
  { value: 'number', label: 'The number in it, such as visits' },
];

const WeightForm = ({ run, weights, onChange }: ChoiceProps) => {
  const now = readWeights(weights ?? '');
  const metadata = run?.testset?.fieldMapping.metadata ?? [];
  const fields = [
    ...new Set([...metadata.map((name) => `metadata.${name}`), ...(now.field ? [now.field] : [])]),
  ];
  const [field, setField] = useState(now.field);
  const [kind, setKind] = useState<Kind>(now.field && !now.shares ? 'number' : 'shares');
  const [edited, setEdited] = useState<readonly Share[] | undefined>(now.shares ?? undefined);
  const isByShares = field !== '' && kind === 'shares';
  const values = useQuery({
    ...apiQuery('summarizeRun', run?.id ?? '', { by: field }),
    staleTime: 60_000,
    enabled: isByShares && run !== undefined,
  });
  const counted = countsOf(values.data);
  const shares =
    edited ??
    counted.map(({ value, share }) => ({ value, percent: Number(share.toPrecision(4)).toString() }));
  const sum = sharesSum(shares);
  const isWhole = Math.abs(sum - 100) <= 0.5;
  const send = () => {
    if (field === '') onChange(undefined);
    else onChange(kind === 'number' ? field : writeShares(field, shares));
  };
  return (
    <Form
      write={{ mutate: send, isPending: false, error: null }}
      action={field === '' ? 'Count each testcase the same' : 'Weigh'}
      disabled={isByShares && !isWhole}
    >
      <Select
        label="Field of the testcase"
        value={field}
        options={[
          { value: '', label: 'None: each testcase counts the same' },
          ...fields.map((name) => ({ value: name, label: name })),
        ]}
        onChange={(next) => {
          setField(next);
          setEdited(undefined);
        }}
        hint={
          fields.length === 0
            ? 'The testset has no metadata. A weight is a field of the metadata.'
            : undefined
        }
      />
      {field !== '' && <Select label="Weight" value={kind} options={kinds} onChange={setKind} />}
      {isByShares && values.isLoading && <Skeleton lines={3} />}
      {isByShares && values.error && <ErrorNote error={values.error} />}
      {isByShares && !values.isLoading && !values.error && (
        <ShareRows shares={shares} counted={counted} sum={sum} isWhole={isWhole} onChange={setEdited} />
      )}
    </Form>
  );
};

/** The values of the field in the run, with their shares of its records. */
const countsOf = (summary: RunSummary | undefined) => {
  const groups = (summary?.breakdown?.groups ?? []).filter(({ value }) => value !== null && value !== '');
  const all = groups.reduce((total, { numRecords }) => total + numRecords, 0);
  return groups.map(({ value, numRecords }) => ({
    value: value!,
    numRecords,
    share: (100 * numRecords) / all,
  }));
};

type ShareRowsProps = {
  shares: readonly Share[];
  counted: ReturnType<typeof countsOf>;
  sum: number;
  isWhole: boolean;
  onChange: (shares: readonly Share[]) => void;
};

/** A row for each value of the field. An empty share leaves the value out. */
const ShareRows = ({ shares, counted, sum, isWhole, onChange }: ShareRowsProps) => {
  const others = counted.filter(({ value }) => !shares.some((share) => share.value === value));
  const rows = [...shares, ...others.map(({ value }) => ({ value, percent: '' }))];
  const set = (value: string, percent: string) =>
    onChange(rows.map((row) => (row.value === value ? { value, percent } : row)));
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">Share of the traffic, %</legend>
      {rows.map(({ value, percent }) => (
        <div key={value} className="flex items-center gap-2">
          <span className="min-w-0 flex-1 truncate">
            <bdi>{value}</bdi>
            <span className="block text-sm text-soft">{ofRunText(counted, value)}</span>
          </span>
          <span className="w-24">
            <Input
              label={`Share of ${value}`}
              hideLabel
              inputMode="decimal"
              value={percent}
              onChange={(next) => set(value, next)}
            />
          </span>
        </div>
      ))}
      <p className={isWhole ? 'text-soft' : 'text-fail'} role="status">
        {isWhole ? `Sum ${sumText(sum)} %` : `Sum ${sumText(sum)} %: the shares must add up to 100 %`}
      </p>
      <p className="text-sm text-soft">
        A value without a share is left out and counted. Shares that are shown first are those of the run.
      </p>
    </fieldset>
  );
};

const sumText = (sum: number): string => (Number.isNaN(sum) ? 'unknown' : Number(sum.toFixed(2)).toString());

const ofRunText = (counted: ReturnType<typeof countsOf>, value: string): string => {
  const found = counted.find((one) => one.value === value);
  return found
    ? `${found.share.toFixed(1)} % of the run: ${found.numRecords.toLocaleString('en')} records`
    : 'not in this run';
};

/** Says that the numbers are weighted, and by what. */
export const WeightNote = ({ of }: { of: { sentence: string } | undefined }) =>
  of ? <p className="mb-2 font-medium">Rates, means and differences are {of.sentence}.</p> : null;
