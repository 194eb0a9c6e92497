import type { Operations } from './generated.ts';

type Ending = Awaited<ReturnType<Operations['getRunDetails']>>['modelEndings'][number];

const dayCount = (days: number): string => `${days} ${days === 1 ? 'day' : 'days'}`;

/** Says that the provider of a judge's model shuts it down, or did. */
export const endingSentence = ({ modelName, endsOn, daysLeft }: Omit<Ending, 'metricIds'>): string =>
  daysLeft < 0
    ? `The provider shut down ${modelName} on ${endsOn}.`
    : `The provider shuts down ${modelName} on ${endsOn}, in ${dayCount(daysLeft)}.`;

/** Warnings of the models that judge in a run and end soon, one for each metric, with the command that tries others. */
export const endingNotes = ({ modelEndings }: { modelEndings: readonly Ending[] }): string[] =>
  modelEndings.flatMap((ending) =>
    ending.metricIds.map(
      (id) => `metric ${id}: ${endingSentence(ending)} Try others: dokima succession ${id} --try MODEL`,
    ),
  );
