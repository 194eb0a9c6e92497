import { Badge, type Tone } from '../../ui/badge.tsx';
import { Fact } from '../../ui/fact.tsx';

const verdicts: Record<string, { label: string; tone: Tone }> = {
  pass: { label: 'Pass', tone: 'pass' },
  WORSE: { label: 'Worse', tone: 'fail' },
  'not enough data': { label: 'Not enough data', tone: 'neutral' },
  INCOMPLETE: { label: 'Incomplete', tone: 'warn' },
};

const markLine = /^mark: ([A-Za-z0-9][A-Za-z0-9._/-]{0,99})$/;
const gateLine = /^gate: (pass|WORSE|not enough data|INCOMPLETE)\b(?: (against [^,]*))?/;

/** What `dokima gate` has written into the notes of a run: its marks, and the newest verdict. */
export const readNotes = (notes: string) => {
  const lines = notes.split(/\r?\n/);
  const gate = lines.findLast((line) => gateLine.test(line));
  const [, verdict, against] = gate?.match(gateLine) ?? [];
  return {
    marks: lines.flatMap((line) => line.match(markLine)?.[1] ?? []),
    gate:
      gate && verdict ? { ...verdicts[verdict]!, against: against ?? '', line: gate.slice(6) } : undefined,
  };
};

/** The marks of a run and the verdict of its gate, as facts. */
export const VerdictInNotes = ({ notes }: { notes: string }) => {
  const { marks, gate } = readNotes(notes);
  return (
    <>
      {gate && (
        <Fact name="Gate">
          <Badge tone={gate.tone} title={gate.line}>
            {gate.label}
          </Badge>
          <bdi className="max-w-96 truncate text-soft" title={gate.line}>
            {gate.against}
          </bdi>
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
};
