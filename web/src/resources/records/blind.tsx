import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import type { RecordDetail } from '../../types.ts';

/** In place of scores that would influence one that the reader has yet to give. */
export const Blind = ({ record, projectId }: { record: RecordDetail; projectId: string }) => (
  <div className="flex flex-col gap-2">
    <p>
      You have yet to score this record. Scores of judges and other people, and their comments, are hidden
      until then, so that they do not influence yours.
    </p>
    <p className="text-sm text-soft">{record.scoreStates.map(({ metricName }) => metricName).join(', ')}</p>
    <p>
      <TextLink {...paths.review(projectId)}>Score it in the review queue</TextLink>
    </p>
  </div>
);
