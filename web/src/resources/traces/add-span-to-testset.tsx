import { useQuery } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import type { JsonObject, SpanDetail } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { AddToTestset } from '../records/add-to-testset.tsx';
import type { Case } from '../records/to-testcases.ts';
import { useMay } from '../session/me.ts';
import type { Message } from './message.tsx';
import { asFields, plainFields } from './plain-fields.ts';
import { spanQuery } from './queries.ts';

const lastText = (messages: readonly Message[], role: string): string =>
  messages.findLast((message) => message.role === role)?.content ?? '';

/** Input and output of a span, in the form of a record. */
const caseOf = (span: SpanDetail): Case => {
  const { input, output, tool } = span;
  const id = `${span.traceId}-${span.spanId}`;
  if (tool)
    return {
      id,
      expected: {},
      inputs: asFields(tool.arguments, 'arguments'),
      outputs: asFields(tool.result, 'result'),
    };
  const question = lastText(input, 'user');
  const answer = lastText(output, 'assistant');
  return {
    id,
    expected: {},
    inputs:
      input.length > 0
        ? { input: question, messages: input as unknown as JsonObject[] }
        : plainFields(span, 'input'),
    outputs:
      output.length > 0
        ? { output: answer, messages: output as unknown as JsonObject[] }
        : plainFields(span, 'output'),
  };
};

type AddSpanToTestsetProps = { projectId: string; traceId: string; spanId: string; what: 'trace' | 'span' };

/** Adds a span, or the root of a trace, to a testset. */
export const AddSpanToTestset = ({ projectId, traceId, spanId, what }: AddSpanToTestsetProps) => {
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const { data: span } = useQuery(spanQuery(projectId, traceId, spanId));
  if (!may.write || !span) return null;
  const found = caseOf(span);
  const isEmpty = Object.keys(found.inputs).length === 0 && Object.keys(found.outputs).length === 0;
  return (
    <>
      <Button
        disabled={isEmpty}
        title={isEmpty ? `This ${what} has neither an input nor an output.` : undefined}
        onClick={() => setOpen(true)}
      >
        <FlaskConical size={14} aria-hidden /> Add to testset
      </Button>
      {isOpen && (
        <AddToTestset projectId={projectId} records={[found]} what={what} onClose={() => setOpen(false)} />
      )}
    </>
  );
};
