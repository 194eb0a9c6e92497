import { peopleNameOf, useNamePeople } from '../../resources/judges/people.ts';
import { useMay } from '../../resources/session/me.ts';
import type { Metric } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/states.tsx';

type Props = { projectId: string; judge: Metric; people: readonly Metric[] };

/** Asks which human metric is the truth about a judge. */
export const ChoosePeople = ({ projectId, judge, people }: Props) => {
  const may = useMay();
  const name = useNamePeople(projectId, judge, null);
  if (!may.write) return null;
  return (
    <div className="flex flex-col gap-2">
      <p className="text-soft">
        By which metric do people answer the same question as this judge? The answer is kept: comparisons,
        reports and gates correct this judge by it.
      </p>
      <ul aria-label="Metrics that people score" className="flex flex-col gap-1">
        {people.map(({ id, name: title, guidelines }) => (
          <li key={id} className="flex flex-wrap items-center gap-2">
            <Button disabled={name.isPending} onClick={() => name.mutate({ id, name: title })}>
              Use {title}
            </Button>
            <span className="max-w-96 truncate text-sm text-soft">{guidelines}</span>
          </li>
        ))}
        <li>
          <Button
            look="primary"
            className="max-w-full max-sm:h-auto max-sm:shrink max-sm:py-1 max-sm:whitespace-normal"
            disabled={name.isPending}
            onClick={() => name.mutate('new')}
          >
            Create {peopleNameOf(judge)} with this judge’s guidelines
          </Button>
        </li>
      </ul>
      {name.error && <ErrorNote error={name.error} />}
    </div>
  );
};
