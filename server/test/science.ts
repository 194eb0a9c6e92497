import { execFileSync } from 'node:child_process';

/** A Python that tests may use, perhaps with NumPy and SciPy. */
export const python = process.env.DOKIMA_TEST_PYTHON;

const whyNoScience = (): string | null => {
  if (!python) return ' (skipped: DOKIMA_TEST_PYTHON is not set)';
  try {
    execFileSync(python, ['-c', 'import scipy'], { stdio: 'ignore' });
    return null;
  } catch {
    return ' (skipped: this Python has no SciPy)';
  }
};

/** Why programs of science cannot run here; null if they can. */
export const noScience = whyNoScience();
