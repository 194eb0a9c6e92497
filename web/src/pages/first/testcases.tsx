import { HowItWasRead } from '../../resources/testsets/how-it-was-read.tsx';
import { ImportColumns } from '../../resources/testsets/import-columns.tsx';
import { ImportSource } from '../../resources/testsets/import-source.tsx';
import { withoutAnswers } from '../../resources/testsets/mapping.ts';
import { Problems } from '../../resources/testsets/problems.tsx';
import type { Source } from '../../resources/testsets/use-source.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { countOf } from '../../ui/format.ts';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { DraftedTestcases } from './drafts.tsx';
import { sample } from './sample.ts';
import { type Testcases, type Way, ways } from './use-testcases.ts';

type TableProps = {
  source: Source;
  /** Whether the table holds the answers; else they are left out, and the system is asked. */
  isAnswered: boolean;
};

/** Takes the reader's table, or a sample, and shows what each column is used for. */
const TableOfTestcases = ({ source, isAnswered }: TableProps) => {
  const { read, found, isRestoring, name, mapColumn, clear } = source;
  const mapping = isAnswered ? source.mapping : withoutAnswers(source.mapping);
  if (!found && (isRestoring || read.isPending)) return <Skeleton lines={5} />;
  if (!found)
    return (
      <>
        <ImportSource onSource={(chosen) => read.mutate({ source: chosen })} />
        {read.error && <ErrorNote error={read.error} />}
        <p className="mt-2 text-soft">
          Nothing at hand?{' '}
          <Button onClick={() => read.mutate({ source: sample.text, name: sample.name })}>
            Use sample data
          </Button>
        </p>
      </>
    );
  return (
    <div className="flex flex-col gap-3">
      <p className="flex flex-wrap items-center gap-2">
        <span>
          <bdi className="font-medium">{name}</bdi>: {countOf(found.rows.length, 'row')}
        </span>
        <Button look="quiet" className="max-md:-ml-3" onClick={clear}>
          Choose another source
        </Button>
      </p>
      <HowItWasRead found={found} onChange={(chosen) => read.mutate({ source: source.source, ...chosen })} />
      <ImportColumns rows={found.rows} mapping={mapping} onChange={mapColumn} />
      <Problems title="Lines that could not be read" problems={found.problems} />
    </div>
  );
};

/** Chooses a testset of the project. */
const ThereTestset = ({ there: { filled, testset, choose } }: { there: Testcases['there'] }) => (
  <div className="max-w-sm">
    <Select
      label="Testset"
      value={testset?.id ?? ''}
      options={[
        { value: '', label: 'Choose' },
        ...(filled ?? []).map(({ id, name, numTestcases }) => ({
          value: id,
          label: `${name}: ${countOf(numTestcases, 'testcase')}`,
        })),
      ]}
      onChange={choose}
    />
  </div>
);

type ChooseWayProps = { way: Way; offered: readonly Way[]; onChange: (way: Way) => void };

const ChooseWay = ({ way: chosen, offered, onChange }: ChooseWayProps) => (
  <fieldset aria-label="Where the testcases come from" className="mb-3 flex flex-wrap">
    {offered.map((way) => (
      <button
        key={way}
        type="button"
        aria-pressed={way === chosen}
        onClick={() => onChange(way)}
        className="h-7 rounded-md px-2 text-soft hover:text-ink aria-pressed:bg-sunken aria-pressed:font-medium aria-pressed:text-ink"
      >
        {ways[way]}
      </button>
    ))}
  </fieldset>
);

type TestcasesProps = { projectId: string; testcases: Testcases; isAnswered: boolean; lacksModel: boolean };

/** The testcases: a table, drafts of a model, or a testset that is there. A table of answers is a table. */
export const ChooseTestcases = ({ projectId, testcases, isAnswered, lacksModel }: TestcasesProps) => {
  const { way, setWay, table, there } = testcases;
  const offered: Way[] = there.filled?.length ? ['table', 'drafts', 'testset'] : ['table', 'drafts'];
  return (
    <>
      {!isAnswered && <ChooseWay way={way} offered={offered} onChange={setWay} />}
      {way === 'table' && <TableOfTestcases source={table} isAnswered={isAnswered} />}
      {way === 'drafts' && <DraftedTestcases {...{ projectId, testcases, lacksModel }} />}
      {way === 'testset' && <ThereTestset there={there} />}
    </>
  );
};
