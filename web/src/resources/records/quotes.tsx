import { paths } from '../../paths.ts';
import type { JsonObject } from '../../types.ts';
import { ReaderLink } from '../session/reader-link.tsx';

type Quote = { traceId: string; spanId: string; quote: string };

const isQuote = (value: unknown): value is Quote =>
  typeof value === 'object' &&
  value !== null &&
  ['traceId', 'spanId', 'quote'].every((name) => typeof (value as JsonObject)[name] === 'string');

type QuotesProps = { score: JsonObject | null; projectId: string; onOpen?: () => void };

/** The passages of a long trace that a verdict rests on. Each opens its span on the page of the trace. */
export const Quotes = ({ score, projectId, onOpen }: QuotesProps) => {
  const quotes = (Array.isArray(score?.evidence) ? score.evidence : []).filter(isQuote);
  if (quotes.length === 0) return null;
  return (
    <ul aria-label="Evidence" className="flex flex-col gap-1">
      {quotes.map(({ traceId, spanId, quote }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a verdict may quote one passage twice, and its list never changes.
        <li key={i} className="border-l-2 pl-2 break-words">
          <q className="text-soft" dir="auto">
            {quote}
          </q>{' '}
          <ReaderLink
            {...paths.trace(projectId, traceId, { span: spanId })}
            className="text-sm whitespace-nowrap"
            {...(onOpen && { onClick: onOpen })}
          >
            span {spanId.slice(0, 8)}
          </ReaderLink>
        </li>
      ))}
    </ul>
  );
};
