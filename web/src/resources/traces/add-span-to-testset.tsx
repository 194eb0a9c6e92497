import { useQuery } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { parseAsWritten } from '../../../../client/src/written-number.ts';
import type { JsonObject, SpanDetail } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { AddToTestset } from '../records/add-to-testset.tsx';
import type { Case } from '../records/to-testcases.ts';
import { useMay } from '../session/me.ts';
import type { Message } from './message.tsx';
import { spanQuery } from './queries.ts';

const lastText = (messages: readonly Message[], role: string): string =>
  messages.findLast((message) => message.role === role)?.content ?? '';

const asFields = (value: unknown, name: string): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : value === null || value === undefined
      ? {}
      : { [name]: value };

/** Attributes that hold an input or an output that is not a list of messages. */
const plainKeys = {
  input: ['input.value', 'langfuse.observation.input', 'traceloop.entity.input', 'input'],
  output: ['output.value', 'langfuse.observation.output', 'traceloop.entity.output', 'output'],
};

const parsed = (value: unknown): unknown => {
  if (typeof value !== 'string' || !/^\s*[[{"]/.test(value)) return value;
  try {
    return parseAsWritten(value);
  } catch {
    return value;
  }
};

const plainFields = ({ attributes }: SpanDetail, side: 'input' | 'output'): JsonObject => {
  const key = plainKeys[side].find((each) => Object.hasOwn(attributes, each));
  return key === undefined ? {} : asFields(parsed((attributes as JsonObject)[key]), side);
};

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
