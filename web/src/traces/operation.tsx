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

/** What a span does, as a sign; read out as the word. */
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

/** Says in colour, sign and word that a span failed. */
export const Failed = ({ word = 'failed' }: { word?: string }) => (
  <span className="inline-flex shrink-0 items-center gap-1 text-sm text-fail">
    <TriangleAlert size={12} aria-hidden />
    {word}
  </span>
);
