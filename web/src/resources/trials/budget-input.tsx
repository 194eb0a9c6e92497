import { Input } from '../../ui/field.tsx';

/** The field for what a trial may cost; empty for no limit. */
export const BudgetInput = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => (
  <Input
    label="Budget, USD"
    type="number"
    min={0}
    step="any"
    placeholder="No limit"
    hint="What it does not reach stays pending."
    value={value}
    onChange={onChange}
  />
);
