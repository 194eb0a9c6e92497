import { elementsOf, type JsonText, membersOf } from '../json-text.ts';
import { parsed } from './format.ts';
import type { Importing } from './importing.ts';
import { text } from './lines.ts';

/** A filter of a search that names a run by its number, as `run:12` or `run:"12"`; not one within quoted words. */
const runFilter = /"(?:[^"\\]|\\.)*"|\brun:("?)(\d+)\1/g;

/** A column of scores: `score.` and the metric. */
const columnOf = ({ ids }: Importing, column: string): string => {
  const metric = /^score\.(\d+)$/.exec(column)?.[1];
  const after = metric === undefined ? undefined : ids.metric.get(metric);
  return after === undefined ? column : `score.${after}`;
};

const withColumns = (importing: Importing, display: JsonText): JsonText => {
  if (display.startsWith('[')) {
    const elements = elementsOf(display).map((element) => withColumns(importing, element));
    return `[${elements.join(',')}]`;
  }
  if (display.startsWith('{')) {
    const members = [...membersOf(display)].map(
      ([name, value]) => `${text(columnOf(importing, name))}:${withColumns(importing, value)}`,
    );
    return `{${members.join(',')}}`;
  }
  return display.startsWith('"') ? text(columnOf(importing, JSON.parse(display))) : display;
};

/** Gives a saved view the runs that its search, and the metrics that its columns are of, are here. */
export const viewOf = (importing: Importing, view: Map<string, JsonText>): void => {
  const search = parsed<string>(view, 'search').replace(runFilter, (whole, quote: string, id: string) => {
    const after = id === undefined ? undefined : importing.ids.run.get(id);
    return after === undefined ? whole : `run:${quote}${after}${quote}`;
  });
  view.set('search', text(search));
  const display = view.get('display')!;
  const after = withColumns(importing, display);
  // Spaces within it are kept where nothing in it has another id.
  if (after.replace(/\s/g, '') !== display.replace(/\s/g, '')) view.set('display', after);
};
