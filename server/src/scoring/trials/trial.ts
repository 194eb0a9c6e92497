import type { Writers } from './battery/writers.ts';
import type {
  CandidateRow,
  FirstVerdicts,
  RunVerdict,
  SavedVerdicts,
  Spent,
  TrialLabel,
  TrialRow,
} from './queries.ts';

/** A trial as it is stored, with the labels that it is tested on. */
export type Trial = {
  row: TrialRow;
  labels: readonly TrialLabel[];
  candidates: readonly CandidateRow[];
  reference: Spent;
  runVerdicts: readonly RunVerdict[];
  baselines: ReadonlyMap<string, string | null>;
  /** The models that wrote the outputs of the pinned records, for a battery. */
  writers: readonly Writers[];
  /** For labels that were chosen by the pinned verdicts: the verdicts of the first trial; null otherwise. */
  firstVerdicts: FirstVerdicts | null;
  /** For prompts that a person wrote: verdicts of the saved prompt in trials; null if it gave the pinned ones. */
  saved: SavedVerdicts | null;
};
