const key = 'dokima.project';

/** The project that was open last, on this machine. */
export const lastProject = {
  get: (): string | null => localStorage.getItem(key),
  set: (projectId: string): void => localStorage.setItem(key, projectId),
  forget: (): void => localStorage.removeItem(key),
};
