import { CliError } from '../errors.ts';
import type { Content } from './content.ts';
import type { Format } from './format.ts';
import { atif } from './formats/atif.ts';
import { deepeval } from './formats/deepeval.ts';
import { dokimaResults } from './formats/dokima.ts';
import { everyEvalEver } from './formats/every-eval-ever.ts';
import { healthbench } from './formats/healthbench.ts';
import { inspect } from './formats/inspect.ts';
import { junit } from './formats/junit.ts';
import { langfuse } from './formats/langfuse.ts';
import { lmEval } from './formats/lm-eval.ts';
import { mlflow } from './formats/mlflow.ts';
import { mlflowGuidelines } from './formats/mlflow-guidelines.ts';
import { openaiEvals } from './formats/openai-evals.ts';
import { openaiHosted } from './formats/openai-hosted.ts';
import { opik } from './formats/opik.ts';
import { phoenix } from './formats/phoenix.ts';
import { promptfoo } from './formats/promptfoo.ts';
import { ragas } from './formats/ragas.ts';
import { type Columns, readTable } from './formats/table.ts';
import { braintrust, langsmith } from './formats/traces.ts';
import type { Import } from './rows.ts';
import { separateIds } from './separate-ids.ts';

/** The tools whose files can be imported. Each recognizes only its own files. */
export const formats: readonly Format[] = [
  promptfoo,
  inspect,
  everyEvalEver,
  openaiHosted,
  atif,
  lmEval,
  openaiEvals,
  healthbench,
  opik,
  mlflowGuidelines,
  deepeval,
  langfuse,
  langsmith,
  braintrust,
  phoenix,
  mlflow,
  ragas,
  junit,
  dokimaResults,
];

const formatNames = [...formats.map(({ name }) => name), 'table'];

/** Reads a file in the format of the named tool, else of the tool that recognizes it, else as a table. */
export const importsOf = (content: Content, from: string | undefined, columns: Columns): Import[] => {
  if (from !== undefined && !formatNames.includes(from)) {
    throw new CliError(`There is no importer '${from}'.`, `Choose one of: ${formatNames.join(', ')}`);
  }
  const format = formats.find((candidate) =>
    from ? candidate.name === from : candidate.recognizes(content),
  );
  if (!format && !content.table?.columns.length && content.items.length === 0) {
    if (content.form === 'folder' && !content.files?.size)
      throw new CliError(`${content.name} has no JSON files.`, 'Name the file itself.');
    if (content.form === 'lines' && !content.files) throw new CliError(`${content.name} is empty.`);
    throw new CliError(
      `Nothing in ${content.name} looks like results.`,
      `Name the tool that wrote it: --from ${formatNames.join('|')}`,
    );
  }
  const read = format ? format.read(content) : readTable(content, columns);
  const imports = (Array.isArray(read) ? read : [read]).filter(({ rows }) => rows.length > 0);
  if (imports.length === 0) throw new CliError(`${content.name} holds no results.`);
  return imports.map(separateIds);
};
