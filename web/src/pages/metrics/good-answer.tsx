import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { apiQuery } from '../../api.ts';
import { paths } from '../../paths.ts';
import { emptyForm, evalTypes, type MetricForm } from '../../resources/metrics/kinds.ts';
import { propose } from '../../resources/proposals/propose.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { capital } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { useNewestCase } from './newest-case.ts';

const longestName = 48;

/** A name from the first words of a rubric: `It names the next step, and …` becomes `Names the next step`. */
export const nameOfRubric = (rubric: string): string => {
  const [clause = ''] = rubric.trim().split(/[.,;:!?\n。，、；：！？]/u);
  const bare = clause.trim().replace(/^(?:(?:it|the (?:answer|output|reply|response|model))\s+)/i, '');
  const words = (bare || rubric.trim()).split(/\s+/);
  let name = '';
  for (const word of words) {
    const longer = name ? `${name} ${word}` : word;
    if (name && longer.length > longestName) break;
    name = longer;
  }
  // A language without spaces has one long word.
  return capital([...name].slice(0, longestName).join(''));
};

type GoodAnswerProps = { projectId: string; onPick: (form: MetricForm) => void };

/** Asks for the rubric in plain words, and proposes metrics that fit the newest record. */
export const GoodAnswer = ({ projectId, onPick }: GoodAnswerProps) => {
  const [rubric, setRubric] = useState('');
  const given = useNewestCase(projectId);
  const { data } = useQuery({ ...apiQuery('listMetricTemplates'), staleTime: Number.POSITIVE_INFINITY });
  const proposals = given && data ? propose(data.data, given) : [];
  return (
    <Section
      title="What is a good answer?"
      actions={
        <Link {...paths.readyMetrics(projectId)} className={buttonClass()}>
          Ready metrics
        </Link>
      }
    >
      <div className="flex flex-col gap-3">
        <TextArea
          className="max-w-4xl"
          label="In your words"
          rows={2}
          placeholder="It names the next step with a date, and does not blame the customer."
          hint="A model judges each answer by it. Its prompt is below, to be changed and tried."
          value={rubric}
          onChange={setRubric}
        />
        <div className="flex flex-wrap items-center gap-2">
          <Button
            disabled={rubric.trim() === ''}
            onClick={() => {
              const guidelines = `Passes if this is true of the output:\n\n${rubric.trim()}`;
              onPick({
                ...emptyForm,
                name: nameOfRubric(rubric),
                description: rubric.trim().slice(0, 200),
                guidelines,
              });
            }}
          >
            Judge by this
          </Button>
          {proposals.length > 0 && <span className="text-soft">or, with the fields of your records:</span>}
          {proposals.map(({ id, form }) => (
            <Button key={id} title={form.description} onClick={() => onPick(form)}>
              {form.name} <span className="text-soft">· {evalTypes[form.evalType]}</span>
            </Button>
          ))}
        </div>
      </div>
    </Section>
  );
};
