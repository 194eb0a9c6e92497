import { HowItWasRead } from '../../resources/testsets/how-it-was-read.tsx';
import { ImportColumns } from '../../resources/testsets/import-columns.tsx';
import { ImportSource } from '../../resources/testsets/import-source.tsx';
import { withoutAnswers } from '../../resources/testsets/mapping.ts';
import { Problems } from '../../resources/testsets/problems.tsx';
import type { useSource } from '../../resources/testsets/use-source.ts';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/format.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { sample } from './sample.ts';

type TestcasesProps = {
  source: ReturnType<typeof useSource>;
  /** Whether the table holds the answers; else they are left out, and the system is asked. */
  isAnswered: boolean;
};

/** Takes the reader's table, or a sample, and shows what each column is used for. */
export const Testcases = ({ source, isAnswered }: TestcasesProps) => {
  const { read, found, name, mapColumn, clear } = source;
  const mapping = isAnswered ? source.mapping : withoutAnswers(source.mapping);
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
        <Button look="quiet" className="max-md:-ml-2.5" onClick={clear}>
          Choose another source
        </Button>
      </p>
      <HowItWasRead found={found} onChange={(chosen) => read.mutate({ source: source.source, ...chosen })} />
      <ImportColumns rows={found.rows} mapping={mapping} onChange={mapColumn} />
      <Problems title="Lines that could not be read" problems={found.problems} />
    </div>
  );
};
