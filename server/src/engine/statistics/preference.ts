/** Comparisons of two outputs, and the strengths of systems that explain them. */

/** The preference for one pair of outputs. */
export interface Preference {
  /** The testcase, or its group: pairs of one unit depend on each other. */
  unit: number;
  /** Indexes of the two systems. */
  a: number;
  b: number;
  /** 1 if a was preferred, 0 if b, ½ for a tie; the mean where several people compared the pair. */
  score: number;
}

export interface Strengths {
  /** Logarithms of the strengths, with mean 0. */
  strengths: number[];
  /** Their covariance over units. */
  covariance: number[][];
  /** Units. */
  n: number;
}
