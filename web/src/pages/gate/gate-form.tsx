import { policyNames, readyPolicies } from '../../../../client/src/gate/ready-policies.ts';
import type { Metric } from '../../types.ts';
import { Input, Select } from '../../ui/field.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import {
  type FormRules,
  type MetricRule,
  type RuleKind,
  readForm,
  usualAmounts,
  withBattery,
  withLedger,
  withRule,
  withValue,
} from './rules-text.ts';

const kinds: Record<Exclude<RuleKind, 'own'>, string> = {
  none: 'As the ready rules say',
  noRegression: 'Red if a loss is shown',
  nonInferiority: 'Green if no more is shown to be lost than',
  superiority: 'Green if it is shown to be better',
  atLeast: 'Green if it is shown to be at least',
  notBelow: 'Red if it is shown to be below',
};

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const policies = [
  { value: '', label: 'None' },
  ...policyNames.map((name) => ({ value: name, label: capitalized(name.replace('-', ' ')) })),
];

type GateFormProps = { metrics: readonly Metric[]; text: string; onChange: (text: string) => void };

/** The rules as fields. What a field changes is changed in the text, and the other way round. */
const GateForm = ({ metrics, text, onChange }: GateFormProps) => {
  const rules = readForm(text);
  if (!rules)
    return <p className="text-soft">The text is not valid YAML. The fields come back when it is.</p>;
  return <Fields rules={rules} metrics={metrics} text={text} onChange={onChange} />;
};
// A default export, as React.lazy takes it.
export default GateForm;

const Fields = ({ rules, metrics, text, onChange }: GateFormProps & { rules: FormRules }) => (
  <div className="flex flex-col gap-3">
    <Select
      label="Ready rules"
      value={rules.policy}
      options={policies}
      onChange={(policy) => onChange(withValue(text, ['policy'], policy || undefined))}
      hint={rules.policy ? readyPolicies[rules.policy].about : 'Only the rules below count.'}
    />
    <Table label="Rules of metrics" head={['Metric', 'Rule', '']}>
      {metrics.map((metric) => (
        <MetricRow
          key={metric.id}
          metric={metric}
          rule={rules.ruleOf(metric.name)}
          hasReady={rules.policy !== ''}
          onChange={(rule) => onChange(withRule(text, metric.name, rule))}
        />
      ))}
    </Table>
    <div className="grid grid-cols-2 gap-3">
      <Rise name="cost" label="Largest increase in cost, %" {...{ rules, text, onChange }} />
      <Rise name="latency" label="Largest increase in latency, %" {...{ rules, text, onChange }} />
    </div>
    <Ledger {...{ rules, text, onChange }} />
    <div className="grid grid-cols-2 gap-3">
      <Input
        label="Fresh testcases with each run"
        type="number"
        min={1}
        max={500}
        placeholder="None"
        value={rules.fresh === undefined ? '' : String(rules.fresh)}
        onChange={(next) => onChange(withValue(text, ['fresh'], next === '' ? undefined : Number(next)))}
        hint="They are in no rule: a line says whether the testset is worn."
      />
    </div>
    <label className="flex items-center gap-2">
      <input
        type="checkbox"
        checked={rules.requireCalibrated}
        onChange={({ target }) =>
          onChange(withValue(text, ['requireCalibrated'], target.checked || undefined))
        }
      />
      Each judge must be shown to be good enough: it may gate alone, or its rules are of the corrected rate
    </label>
    {rules.requireCalibrated && (
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          checked={rules.requireBattery}
          onChange={({ target }) => onChange(withBattery(text, target.checked))}
        />
        A bias battery must have cleared each judge
      </label>
    )}
  </div>
);

const periods = [
  { value: '', label: 'Each gate has its own' },
  { value: 'month', label: 'All looks of a month share one' },
  { value: 'quarter', label: 'All looks of a quarter share one' },
  { value: 'year', label: 'All looks of a year share one' },
];

type LedgerProps = Pick<GateFormProps, 'text' | 'onChange'> & { rules: FormRules };

const Ledger = ({ rules: { ledger }, text, onChange }: LedgerProps) => (
  <div className="grid grid-cols-2 gap-3">
    <Select
      label="Level of significance"
      value={ledger?.per ?? ''}
      options={periods}
      onChange={(per) => onChange(withLedger(text, per))}
    />
    {ledger && (
      <Input
        label="What they share, %"
        type="number"
        min={0.1}
        max={50}
        step="any"
        value={Number.isNaN(ledger.alpha) ? '' : String(Number((100 * ledger.alpha).toFixed(4)))}
        onChange={(next) =>
          Number(next) > 0 && onChange(withValue(text, ['ledger', 'alpha'], Number(next) / 100))
        }
      />
    )}
  </div>
);

type MetricRowProps = {
  metric: Metric;
  rule: MetricRule;
  hasReady: boolean;
  onChange: (rule: MetricRule) => void;
};

const MetricRow = ({
  metric: { name },
  rule: { kind, amount, ofScore },
  hasReady,
  onChange,
}: MetricRowProps) => {
  const options = Object.entries(kinds).map(([value, label]) => ({
    value: value as RuleKind,
    label: value === 'none' && !hasReady ? 'No rule' : label,
  }));
  const written =
    amount === undefined ? '' : ofScore ? String(amount) : String(Number((100 * amount).toFixed(4)));
  return (
    <Row>
      <Cell className="align-top">
        <bdi className="break-words">{name}</bdi>
      </Cell>
      <Cell className="min-w-56">
        <Select
          label={`Rule of ${name}`}
          hideLabel
          value={kind}
          options={[
            ...options,
            ...(kind === 'own' ? [{ value: 'own' as const, label: 'As in the text' }] : []),
          ]}
          onChange={(next) => next !== 'own' && onChange({ kind: next, amount: usualAmounts[next], ofScore })}
        />
      </Cell>
      <Cell className="w-28">
        {usualAmounts[kind] !== undefined && (
          <Input
            label={`${kind === 'nonInferiority' ? 'Margin' : 'Line'} of ${name}, ${ofScore ? 'score' : kind === 'nonInferiority' ? 'points' : '%'}`}
            hideLabel
            type="number"
            min={0}
            step="any"
            value={written}
            onChange={(next) => {
              const number = Number(next);
              if (next !== '' && number >= 0)
                onChange({ kind, amount: ofScore ? number : number / 100, ofScore });
            }}
          />
        )}
      </Cell>
    </Row>
  );
};

type RiseProps = Pick<GateFormProps, 'text' | 'onChange'> & {
  rules: FormRules;
  name: 'cost' | 'latency';
  label: string;
};

const Rise = ({ name, label, rules, text, onChange }: RiseProps) => {
  const rise = rules.maxRise[name];
  return (
    <Input
      label={label}
      type="number"
      min={0}
      step="any"
      placeholder="No rule"
      value={rise === undefined ? '' : String(Number((100 * rise).toFixed(4)))}
      onChange={(next) =>
        onChange(withValue(text, [name, 'maxRise'], next === '' ? undefined : Number(next) / 100))
      }
    />
  );
};
