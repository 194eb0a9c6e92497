import { ImagePlus, X } from 'lucide-react';
import { useId, useState } from 'react';
import { buttonClass, IconButton } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { dataFileOf, dataFileText, isImage } from '../../ui/media.ts';

const accepted = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf'];
/** A request takes 15 MB, and base64 makes a file larger by a third. */
const largestBytes = 10_000_000;

const readDataUri = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

type InputFieldProps = { name: string; value: string; onChange: (value: string) => void };

/** The value of an input: a text that is typed, or an image or PDF that is chosen or pasted. */
export const InputField = ({ name, value, onChange }: InputFieldProps) => {
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const label = `inputs.${name}`;
  const file = dataFileOf(value);
  const take = async (given: File | undefined) => {
    if (!given) return;
    if (!accepted.includes(given.type)) return setProblem('Choose a PNG, JPEG, GIF, WebP or PDF.');
    if (given.size > largestBytes) return setProblem('The file is larger than 10 MB.');
    try {
      onChange(await readDataUri(given));
      setProblem(undefined);
    } catch {
      setProblem('The browser can’t read the file.');
    }
  };
  if (file)
    return (
      <fieldset className="flex min-w-0 flex-col gap-1" aria-label={label}>
        <span className="text-sm font-medium">{label}</span>
        <div className="flex items-start gap-2 rounded-md border border-edge p-2">
          {isImage(file) && (
            <img src={value} alt={label} className="max-h-32 min-w-0 max-w-full rounded-sm bg-white" />
          )}
          <span className="flex-1 text-sm text-soft">{dataFileText(file)}</span>
          <IconButton icon={X} label={`Remove the file of ${label}`} onClick={() => onChange('')} />
        </div>
      </fieldset>
    );
  return (
    <div className="flex flex-col gap-1">
      <TextArea
        label={label}
        rows={2}
        value={value}
        error={problem}
        onChange={onChange}
        onPaste={(event) => {
          const [pasted] = event.clipboardData.files;
          if (!pasted) return;
          event.preventDefault();
          void take(pasted);
        }}
      />
      <div>
        <label htmlFor={id} className={buttonClass('quiet', '-ml-3 cursor-pointer focus-within:outline-2')}>
          <ImagePlus size={14} aria-hidden /> Choose image or PDF
          <input
            id={id}
            type="file"
            aria-label={`Image or PDF for ${name}`}
            accept={accepted.join(',')}
            className="sr-only"
            onChange={({ target }) => void take(target.files?.[0])}
          />
        </label>
      </div>
    </div>
  );
};
