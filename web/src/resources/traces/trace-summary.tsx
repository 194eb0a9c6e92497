import { durationText } from '../../ui/format.ts';
import { Time } from '../../ui/time.tsx';
import { useMay } from '../session/me.ts';
import type { SpanTree } from './span-tree.ts';

const counted = (values: (string | null)[]): [string, number][] => {
  const counts = new Map<string, number>();
  for (const value of values) if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
};

const firstShown = 8;

/** A summary of the record's spans in numbers, shown while no span is selected. */
export const TraceSummary = ({ tree }: { tree: SpanTree }) => {
  const may = useMay();
  const spans = tree.nodes.map(({ span }) => span);
  const facts: [string, [string, number][]][] = [
    ['Operations', counted(spans.map(({ operation }) => operation))],
    ['Models', counted(spans.map(({ modelName }) => modelName))],
    ['Services', counted(spans.map(({ service }) => service))],
  ];
  const first = spans[0];
  return (
    <aside
      aria-label="Summary of the trace"
      className="w-[52%] shrink-0 overflow-auto border-t border-l px-4 py-3 max-md:hidden"
    >
      <p className="text-soft">
        {first && (
          <>
            Began <Time at={first.startTime} />,{' '}
          </>
        )}
        took {durationText(tree.durationMs)}, {tree.numFailed.toLocaleString('en')} of{' '}
        {spans.length.toLocaleString('en')} failed.{may.read && ' Choose a span to see its data.'}
      </p>
      {facts
        .filter(([, counts]) => counts.length > 0)
        .map(([title, counts]) => (
          <section key={title} className="mt-4 max-w-sm">
            <h2 className="mb-1 text-sm font-semibold">{title}</h2>
            <ul>
              {counts.slice(0, firstShown).map(([value, n]) => (
                <li key={value} className="flex justify-between gap-4">
                  <span className="truncate">{value}</span>
                  <span className="text-soft">{n.toLocaleString('en')}</span>
                </li>
              ))}
              {counts.length > firstShown && (
                <li className="text-soft">{(counts.length - firstShown).toLocaleString('en')} more</li>
              )}
            </ul>
          </section>
        ))}
    </aside>
  );
};
