import { stripTypeScriptTypes } from 'node:module';

/** The compiler itself has failed, and fails at everything from now on: deep nesting overflows its stack for good. */
export class CompilerBroken extends Error {}

/**
 * `SyntaxError: Unexpected token (line 2, column 5)`. Node shows the position only as a drawing in the stack: the lines up to it, with a
 * caret below.
 */
const located = (error: Error): string => {
  const [, line, column] = /^[^\n]*:(\d+)\n[\s\S]*?\n( *)\^/.exec(error.stack ?? '') ?? [];
  const place = line === undefined ? '' : ` (line ${line}, column ${column!.length + 1})`;
  return `SyntaxError: ${error.message.split('\n', 1)[0]}${place}`;
};

/** The code as JavaScript; all other text keeps its position. Throws SyntaxError with line and column. */
export const withoutTypes = (code: string): string => {
  try {
    return stripTypeScriptTypes(code, { mode: 'strip' });
  } catch (error) {
    if (error instanceof SyntaxError) throw new SyntaxError(located(error));
    throw new CompilerBroken('the code is nested too deeply to be compiled');
  }
};
