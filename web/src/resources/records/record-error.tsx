import { DokimaError } from '../../../../client/src/errors.ts';
import { ErrorNote } from '../../ui/states.tsx';

const isNotFound = (error: Error): boolean => error instanceof DokimaError && error.status === 404;

/** Why a record that a list names cannot be shown. Scores and comments on it may outlast the record. */
export const RecordError = ({ error }: { error: Error }) =>
  isNotFound(error) ? <p className="text-soft">This record was deleted.</p> : <ErrorNote error={error} />;
