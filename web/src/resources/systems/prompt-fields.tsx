import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { Input, optionsOf, Select, TextArea } from '../../ui/field.tsx';
import { type PromptDraft, roles } from './prompt-draft.ts';

export type MessagesProps = {
  draft: PromptDraft;
  onChange: (change: Partial<PromptDraft>) => void;
  hint: ReactNode;
};

/** The messages of a prompt, with their roles. */
export const Messages = ({ draft: { messages }, onChange, hint }: MessagesProps) => {
  const set = (i: number, change: object) =>
    onChange({ messages: messages.map((each, at) => (at === i ? { ...each, ...change } : each)) });
  const next = messages.at(-1)?.role === 'user' ? 'assistant' : 'user';
  return (
    <div className="flex flex-col gap-2">
      {messages.map((message, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages have no identity but their place
        <div key={i} className="flex flex-col gap-1">
          <div className="flex items-end gap-1">
            <div className="w-32">
              <Select
                label={`Role of message ${i + 1}`}
                hideLabel
                value={message.role}
                options={optionsOf(roles)}
                onChange={(role) => set(i, { role })}
              />
            </div>
            {messages.length > 1 && (
              <IconButton
                icon={X}
                label={`Remove message ${i + 1}`}
                onClick={() => onChange({ messages: messages.filter((_, at) => at !== i) })}
              />
            )}
          </div>
          <TextArea
            label={`Message ${i + 1}`}
            hideLabel
            rows={message.role === 'system' ? 3 : 5}
            className="font-mono text-sm"
            placeholder={message.role === 'user' ? 'Answer in one sentence: {{ inputs.question }}' : ''}
            value={message.content}
            onChange={(content) => set(i, { content })}
            {...(i === messages.length - 1 && { hint })}
          />
        </div>
      ))}
      <div className="flex flex-wrap gap-1">
        <Button
          look="quiet"
          onClick={() => onChange({ messages: [...messages, { role: next, content: '' }] })}
        >
          <Plus size={14} aria-hidden /> Message
        </Button>
        {messages[0]?.role !== 'system' && (
          <Button
            look="quiet"
            onClick={() => onChange({ messages: [{ role: 'system', content: '' }, ...messages] })}
          >
            <Plus size={14} aria-hidden /> System message
          </Button>
        )}
      </div>
    </div>
  );
};

/** What a prompt has beside its messages, folded. */
export const Parameters = ({ draft, onChange }: Omit<MessagesProps, 'hint'>) => (
  <details>
    <summary className="text-sm font-medium select-none">Parameters, tools and output</summary>
    <div className="mt-2 flex flex-col gap-2">
      <div className="grid grid-cols-2 gap-2">
        <Input
          label="Temperature"
          type="number"
          min={0}
          max={2}
          step="any"
          placeholder="The model’s"
          value={draft.temperature}
          onChange={(temperature) => onChange({ temperature })}
        />
        <Input
          label="Longest output, tokens"
          type="number"
          min={1}
          placeholder="The model’s"
          value={draft.maxOutputTokens}
          onChange={(maxOutputTokens) => onChange({ maxOutputTokens })}
        />
      </div>
      <TextArea
        label="Tools, JSON"
        rows={4}
        className="font-mono text-sm"
        placeholder='[{ "name": "weather", "parameters": { "type": "object" } }]'
        hint="The model may ask to call them. The calls are shown and not carried out."
        value={draft.tools}
        onChange={(tools) => onChange({ tools })}
      />
      <TextArea
        label="Output schema, JSON Schema"
        rows={4}
        className="font-mono text-sm"
        placeholder='{ "type": "object", "properties": { "answer": { "type": "string" } } }'
        hint="The outputs are then the object that the model writes."
        value={draft.outputSchema}
        onChange={(outputSchema) => onChange({ outputSchema })}
      />
    </div>
  </details>
);
