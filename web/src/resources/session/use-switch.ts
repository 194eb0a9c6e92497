import { useMutation } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { base } from '../../base.ts';
import { lastProject } from '../projects/last-project.ts';

/** Switches the session to another organization of the person. */
export const useSwitch = () =>
  useMutation({
    mutationFn: (body: Parameters<typeof api.switchOrganization>[0]) => api.switchOrganization(body),
    onSuccess: () => {
      lastProject.forget();
      // Everything that was read belongs to the other organization.
      window.location.assign(`${base}/`);
    },
  });
