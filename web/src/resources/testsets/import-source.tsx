import { Upload } from 'lucide-react';
import { type ClipboardEvent, type DragEvent, useState } from 'react';

/** Takes a file or pasted text. */
export const ImportSource = ({ onSource }: { onSource: (source: File | string) => void }) => {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file) onSource(file);
  };
  const paste = (event: ClipboardEvent) => {
    event.preventDefault();
    const [file] = event.clipboardData.files;
    onSource(file ?? event.clipboardData.getData('text/plain'));
  };
  return (
    <div className="flex flex-col gap-3">
      <label
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        data-over={isOver || undefined}
        className="flex h-32 cursor-pointer flex-col items-center justify-center gap-2 rounded-md border border-dashed border-edge text-soft focus-within:outline-2 focus-within:outline-accent hover:bg-hover data-over:bg-selected"
      >
        <Upload size={16} aria-hidden />
        Drop a file here, or choose one
        <input
          type="file"
          className="sr-only"
          accept=".csv,.tsv,.json,.jsonl,.ndjson,.xlsx,.parquet,.arrow,.feather,.txt,.gz"
          onChange={(event) => event.target.files?.[0] && onSource(event.target.files[0])}
        />
      </label>
      <textarea
        aria-label="Paste here"
        rows={3}
        placeholder="…or paste cells of a spreadsheet, CSV or JSON here"
        onPaste={paste}
        value=""
        onChange={(event) => onSource(event.target.value)}
        className="rounded-md border border-edge bg-surface px-2 py-1.5"
      />
    </div>
  );
};
