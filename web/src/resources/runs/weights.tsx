import { useState } from 'react';
import { Input } from '../../ui/field.tsx';

/** Returns the parameters of the weights in an address: `metadata.visits`, or `metadata.intent:refund=0.7,order=0.3`. */
export const weightsOf = (weights: string | undefined): { weightBy?: string; shares?: string } => {
  if (!weights) return {};
  return weights.includes(':') ? { shares: weights } : { weightBy: weights };
};

type ChoiceProps = { weights: string | undefined; onChange: (weights: string | undefined) => void };

/** Asks what the testcases stand for. */
export const WeightChoice = ({ weights, onChange }: ChoiceProps) => {
  const [written, setWritten] = useState(weights ?? '');
  return (
    <form
      className="w-80 max-w-full"
      onSubmit={(event) => {
        event.preventDefault();
        onChange(written.trim() || undefined);
      }}
    >
      <Input
        label="Weigh testcases by"
        value={written}
        onChange={setWritten}
        placeholder="metadata.visits, or metadata.intent:refund=0.7,order=0.3"
      />
    </form>
  );
};

/** Says that the numbers are weighted, and by what. */
export const WeightNote = ({ of }: { of: { sentence: string } | undefined }) =>
  of ? <p className="mb-2 font-medium">Rates, means and differences are {of.sentence}.</p> : null;
