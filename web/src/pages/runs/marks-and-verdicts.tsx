import type { RunDetail } from '../../types.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Fact } from '../../ui/fact.tsx';
import { timeText } from '../../ui/time.tsx';

type Verdict = RunDetail['verdicts'][number];

const outcomes: Record<Verdict['outcome'], { label: string; tone: Tone }> = {
  pass: { label: 'Pass', tone: 'pass' },
  worse: { label: 'Worse', tone: 'fail' },
  inconclusive: { label: 'Not enough data', tone: 'neutral' },
  incomplete: { label: 'Incomplete', tone: 'warn' },
};

/** The verdict of a gate. Its name is shown where several gates decided about the run. */
const GateVerdict = ({ verdict, isOne }: { verdict: Verdict; isOne: boolean }) => {
  const { gate, outcome, against, reason, decidedAt } = verdict;
  const { label, tone } = outcomes[outcome];
  const about = [!isOne && gate, against && `against ${against}`].filter(Boolean).join(' ');
  const whole = [`${gate}, ${timeText(decidedAt)}`, reason].filter(Boolean).join(': ');
  return (
    <>
      <Badge tone={tone} title={whole}>
        {label}
      </Badge>
      <bdi className="max-w-96 truncate text-soft" title={whole}>
        {about}
      </bdi>
    </>
  );
};

/** The marks of a run and the verdicts of its gates. */
export const MarksAndVerdicts = ({ run: { marks, verdicts } }: { run: RunDetail }) => (
  <>
    {verdicts.length > 0 && (
      <Fact name={verdicts.length === 1 ? 'Gate' : 'Gates'}>
        {verdicts.map((verdict) => (
          <GateVerdict key={verdict.gate} verdict={verdict} isOne={verdicts.length === 1} />
        ))}
      </Fact>
    )}
    {marks.length > 0 && (
      <Fact name={marks.length === 1 ? 'Mark' : 'Marks'}>
        {marks.map((mark) => (
          <Badge key={mark} title={`The newest run with this mark is the baseline latest:${mark}`}>
            {mark}
          </Badge>
        ))}
      </Fact>
    )}
  </>
);
