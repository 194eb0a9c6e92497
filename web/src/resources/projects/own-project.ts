import { useLocation, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { base } from '../../base.ts';

/**
 * Opens the page in the project that owns what it shows, if the address names another project. A number from a log or a chat is easily
 * put after the wrong project, and lists of that project would show nothing of it.
 */
export const useOwnProject = (projectId: string, owner: string | undefined): void => {
  const { history } = useRouter();
  const { href } = useLocation();
  const isElsewhere = owner !== undefined && owner !== projectId;
  useEffect(() => {
    if (isElsewhere) history.replace(base + href.replace(/^\/projects\/[^/?#]+/, `/projects/${owner}`));
  }, [history, href, isElsewhere, owner]);
};
