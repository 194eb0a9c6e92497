import { useQuery } from '@tanstack/react-query';
import type { Run } from '../../types.ts';
import { systemsQuery, versionQuery } from './queries.ts';

type SystemOfProps = {
  projectId: string;
  run: Pick<Run, 'systemId' | 'systemVersionId'>;
  className?: string;
};

/** What a run evaluates: the name of the system, then that of its version. Nothing for a run that says neither. */
export const SystemOf = ({
  projectId,
  run: { systemId, systemVersionId },
  className = '',
}: SystemOfProps) => {
  const { data: systems } = useQuery({ ...systemsQuery(projectId), enabled: systemVersionId !== null });
  const system = systems?.find(({ id }) => id === systemId);
  const listed = system?.versions.find(({ id }) => id === systemVersionId);
  // A version that was made since the list was read, or whose system is deleted.
  const { data: version } = useQuery({
    ...versionQuery(systemVersionId ?? ''),
    enabled: systemVersionId !== null && systems !== undefined && !listed,
  });
  if (systemVersionId === null) return null;
  const name = (listed ?? version)?.name || systemVersionId.slice(-8);
  const text = systems ? [system?.name, name].filter(Boolean).join(', ') : '\u00a0';
  return (
    <bdi title={text} className={className}>
      {text}
    </bdi>
  );
};
