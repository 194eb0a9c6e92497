import {
  Bot,
  Circle,
  FileSearch,
  type LucideIcon,
  MessageSquare,
  TriangleAlert,
  Waypoints,
  Wrench,
} from 'lucide-react';

const icons: Record<string, LucideIcon> = {
  chat: MessageSquare,
  tool: Wrench,
  agent: Bot,
  chain: Waypoints,
  retrieval: FileSearch,
};

/** An icon for what a span does; screen readers read the word. */
export const OperationIcon = ({ operation }: { operation: string | null }) => {
  const Icon = icons[operation ?? ''] ?? Circle;
  return (
    <Icon
      size={13}
      className="shrink-0 text-soft"
      {...(operation ? { role: 'img', 'aria-label': operation } : { 'aria-hidden': true })}
    />
  );
};

/** Shows by colour, icon and word that a span failed. */
export const Failed = ({ word = 'failed' }: { word?: string }) => (
  <span className="inline-flex shrink-0 items-center gap-1 text-sm text-fail">
    <TriangleAlert size={12} aria-hidden />
    {word}
  </span>
);

type Titled = { name: string; operation: string | null; failed: boolean };

/** The heading of a panel about a span. */
export const SpanTitle = ({ span: { name, operation, failed } }: { span: Titled }) => (
  <>
    <OperationIcon operation={operation} />
    <h2 className="min-w-0 flex-1 truncate font-semibold" title={name}>
      {name || '(no name)'}
    </h2>
    {failed && <Failed />}
  </>
);
