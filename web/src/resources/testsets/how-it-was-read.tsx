import { type Encoding, encodings } from '../../../../client/src/tables/encoding.ts';
import type { JsonObject } from '../../types.ts';
import { cellText } from '../../ui/csv.ts';
import { optionsOf, Select } from '../../ui/field.tsx';
import type { Chosen, Found } from './read-source.ts';

/** Says how a file was read, and asks for what it does not say itself. */
export const HowItWasRead = ({ found, onChange }: { found: Found; onChange: (chosen: Chosen) => void }) => (
  <>
    {found.guessed && (
      <EncodingChoice
        rows={found.rows}
        encoding={found.guessed}
        onChange={(encoding) => onChange({ encoding })}
      />
    )}
    {found.sheets.length > 1 && (
      <Select
        label="Sheet"
        options={found.sheets.map((name) => ({ value: name, label: name }))}
        value={found.sheet ?? ''}
        onChange={(sheet) => onChange({ sheet })}
      />
    )}
    {found.notes.map((note) => (
      <p key={note} role="status" className="text-soft">
        {note}
      </p>
    ))}
  </>
);

const shownTexts = 3;
const notAscii = /[^\p{ASCII}]/u;

/** Asks how to read a file that is not UTF-8, with texts by which a reader sees whether the choice is right. */
const EncodingChoice = ({
  rows,
  encoding,
  onChange,
}: {
  rows: readonly JsonObject[];
  encoding: Encoding;
  onChange: (encoding: Encoding) => void;
}) => {
  const texts = rows.flatMap((row) => Object.values(row).map(cellText)).filter((text) => notAscii.test(text));
  return (
    <div className="flex flex-col gap-2 rounded-md border bg-warn-wash p-3">
      <p role="status">
        This file is not UTF-8. Are the letters below right? If not, choose another encoding.
      </p>
      <div className="max-w-md">
        <Select
          label="Encoding of the file"
          options={optionsOf(encodings)}
          value={encoding}
          onChange={onChange}
        />
      </div>
      <ul aria-label="Texts with special letters">
        {texts.slice(0, shownTexts).map((text) => {
          const at = text.search(notAscii);
          return (
            <li key={text} className="truncate" dir="auto">
              {text.slice(Math.max(0, at - 30), at + 60)}
            </li>
          );
        })}
      </ul>
    </div>
  );
};
