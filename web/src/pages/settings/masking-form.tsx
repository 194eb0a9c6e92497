import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { etagOf } from '../../../../client/src/etags.ts';
import { parseAsWritten } from '../../../../client/src/written-number.ts';
import { api, apiAsWritten, issuesOf, keyOf } from '../../api.ts';
import { useMay } from '../../resources/session/me.ts';
import type { JsonObject, MaskingSettings, ProjectSettings } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { OutdatedNote, useOutdated } from '../../ui/outdated.tsx';
import { ErrorNote } from '../../ui/states.tsx';

const patterns: [MaskingSettings['patterns'][number], string][] = [
  ['email', 'E-mail addresses'],
  ['phone', 'Phone numbers'],
  ['creditCard', 'Credit cards'],
  ['iban', 'IBANs'],
  ['ipAddress', 'IP addresses'],
  ['secret', 'API keys and tokens'],
];
const options: [keyof MaskingSettings & ('hashed' | 'testcases' | 'comments'), string][] = [
  ['hashed', 'Keep equal values linkable (hash)'],
  ['testcases', 'Mask testcases too'],
  ['comments', 'Mask comments of annotations too'],
];

const Check = ({
  label,
  checked,
  disabled,
  onChange,
}: {
  label: string;
  checked: boolean;
  disabled: boolean;
  onChange: (checked: boolean) => void;
}) => (
  <label className="flex items-center gap-2">
    <input
      type="checkbox"
      checked={checked}
      disabled={disabled}
      onChange={({ target }) => onChange(target.checked)}
    />
    {label}
  </label>
);

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Reads custom patterns, one per line: NAME, a space, and the expression. */
const customOf = (text: string): MaskingSettings['custom'] =>
  linesOf(text).map((line) => {
    const [, name = line, pattern = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
    return { name, pattern };
  });

const example = '{"inputs": {"question": "I am ada@example.org, call +49 151 2345678"}}';

const firstIssue = (error: Error | null, path: string, count: number): string | undefined => {
  const issue = issuesOf(error);
  for (let i = 0; i < count; i++) {
    const found = issue(`${path}/${i}`) ?? issue(`${path}/${i}/pattern`) ?? issue(`${path}/${i}/name`);
    if (found) return `Line ${i + 1} ${found}.`;
  }
  return undefined;
};

type PatternChoiceProps = {
  chosen: MaskingSettings['patterns'];
  isLocked: boolean;
  onChange: (chosen: MaskingSettings['patterns']) => void;
};

const PatternChoice = ({ chosen, isLocked, onChange }: PatternChoiceProps) => (
  <fieldset className="grid gap-1 sm:grid-cols-2">
    <legend className="text-sm font-medium">Look for</legend>
    {patterns.map(([name, label]) => (
      <Check
        key={name}
        label={label}
        disabled={isLocked}
        checked={chosen.includes(name)}
        onChange={(checked) => onChange(checked ? [...chosen, name] : chosen.filter((each) => each !== name))}
      />
    ))}
  </fieldset>
);

const MaskingNote = () => (
  <p className="text-soft">
    Matches are replaced before anything is stored, in records, scores and traces that arrive from now on.
    Data that is already stored stays as it is. Attachments are not masked.
  </p>
);

/** The own patterns as they are edited, one on each line. */
const customText = ({ custom }: MaskingSettings): string =>
  custom.map(({ name, pattern }) => `${name} ${pattern}`).join('\n');

/** What the form says, and whether something else is stored by now. */
const useMasking = (stored: MaskingSettings) => {
  const [settings, setSettings] = useState(stored);
  const [custom, setCustom] = useState(customText(stored));
  const [fields, setFields] = useState(stored.fields.join('\n'));
  const given: MaskingSettings = { ...settings, custom: customOf(custom), fields: linesOf(fields) };
  const outdated = useOutdated(stored, given, (now) => {
    setSettings(now);
    setCustom(customText(now));
    setFields(now.fields.join('\n'));
  });
  return { settings, setSettings, custom, setCustom, fields, setFields, given, outdated };
};

export const MaskingForm = ({ projectId, project }: { projectId: string; project: ProjectSettings }) => {
  const may = useMay();
  const { settings, setSettings, custom, setCustom, fields, setFields, given, outdated } = useMasking(
    project.masking,
  );
  const save = useMutation({
    mutationFn: () => api.updateProjectSettings(projectId, { masking: given }, { ifMatch: etagOf(project) }),
    meta: { refreshes: [keyOf('getProjectSettings', projectId)] },
  });
  const isLocked = !may.administerProject;
  const customIssue = firstIssue(save.error, '/masking/custom', given.custom.length);
  const fieldIssue = firstIssue(save.error, '/masking/fields', given.fields.length);
  return (
    <form
      className="flex max-w-2xl flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <MaskingNote />
      <PatternChoice
        chosen={settings.patterns}
        isLocked={isLocked}
        onChange={(patterns) => setSettings({ ...settings, patterns })}
      />
      <TextArea
        label="Own patterns"
        rows={3}
        disabled={isLocked}
        hint="One per line: a name and a regular expression of RE2, such as EMPLOYEE EMP-[0-9]{6}"
        error={customIssue}
        value={custom}
        onChange={setCustom}
      />
      <TextArea
        label="Fields to redact"
        rows={3}
        disabled={isLocked}
        hint="One path per line, such as inputs.user.email; * is any key, ** any number of keys."
        error={fieldIssue}
        value={fields}
        onChange={setFields}
      />
      <div className="flex flex-col gap-1">
        {options.map(([name, label]) => (
          <Check
            key={name}
            label={label}
            disabled={isLocked}
            checked={settings[name]}
            onChange={(checked) => setSettings({ ...settings, [name]: checked })}
          />
        ))}
      </div>
      <OutdatedNote outdated={outdated} />
      {save.error && !outdated && !customIssue && !fieldIssue && <ErrorNote error={save.error} />}
      {may.administerProject && (
        <div>
          <Button look="primary" type="submit" disabled={save.isPending || outdated !== undefined}>
            Save masking
          </Button>
        </div>
      )}
      <MaskingPreview projectId={projectId} settings={given} />
    </form>
  );
};

/** What an example would be stored as under the settings of the form, saved or not. */
const MaskingPreview = ({ projectId, settings }: { projectId: string; settings: MaskingSettings }) => {
  const [sample, setSample] = useState(example);
  const preview = useMutation({
    mutationFn: () =>
      apiAsWritten.previewMasking(projectId, { settings, data: parseAsWritten(sample) as JsonObject }),
  });
  return (
    <>
      <TextArea
        label="Try it: an object as JSON"
        rows={4}
        hint="It is not stored."
        value={sample}
        onChange={setSample}
      />
      <div>
        <Button onClick={() => preview.mutate()} disabled={preview.isPending}>
          Show what would be stored
        </Button>
      </div>
      {preview.error && <ErrorNote error={preview.error} />}
      {preview.data && (
        <div role="status">
          <p className="text-soft">{preview.data.numReplaced} replaced</p>
          <pre className="rounded-md border bg-sunken p-3 text-sm whitespace-pre-wrap">
            {JSON.stringify(preview.data.data, null, 2)}
          </pre>
        </div>
      )}
    </>
  );
};
