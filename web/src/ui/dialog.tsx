import { Dialog as Base } from '@base-ui/react/dialog';
import { type MutationMeta, useMutation } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { Button, IconButton } from './button.tsx';
import { Input } from './field.tsx';
import { Form, type FormProps, submitting } from './form.tsx';
import { ErrorNote } from './states.tsx';

type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  wide?: boolean;
  /** The dialog has text alone: it gets the focus itself, so that keys can scroll it. */
  reading?: boolean;
  children: ReactNode;
};

const controls = 'input, select, textarea, button, a[href], [tabindex="0"]';

/** The element that gets the focus in an open dialog: the one that has it already, else the first field or button. */
const firstControl = (body: HTMLElement | null): HTMLElement | undefined => {
  if (!body) return undefined;
  const focused = document.activeElement;
  if (focused instanceof HTMLElement && body.contains(focused)) return focused;
  if (body.tabIndex === 0) return body;
  return [...body.querySelectorAll<HTMLElement>(controls)].find(
    (element) => !element.matches(':disabled') && element.checkVisibility(),
  );
};

/** A dialog in the middle of the page. Escape and a click beside it close it. */
export const Dialog = ({ open, onClose, title, description, wide, reading, children }: DialogProps) => {
  const body = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-shade" />
        <Base.Popup
          // By default Close gets the focus, since it comes first. On a touch screen a focused field would open the keyboard.
          initialFocus={(openedBy) => openedBy === 'touch' || (firstControl(body.current) ?? true)}
          className={`fixed top-[10vh] left-1/2 z-50 flex max-h-[80vh] w-[calc(100vw-32px)] -translate-x-1/2 flex-col rounded-lg border bg-surface shadow-xl ${wide ? 'max-w-4xl' : 'max-w-md'}`}
        >
          <header className="flex items-start gap-2 px-4 pt-3 pb-2">
            <div className="min-w-0 flex-1">
              <Base.Title className="text-lg font-semibold">{title}</Base.Title>
              {description && <Base.Description className="mt-1 text-soft">{description}</Base.Description>}
            </div>
            <Base.Close render={<IconButton icon={X} label="Close" />} />
          </header>
          <div ref={body} className="min-h-0 overflow-auto px-4 pt-1 pb-4" {...(reading && { tabIndex: 0 })}>
            {children}
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
};

/**
 * A dialog that is one form, as each resource has for what is new: the first field has the focus, Escape and Cancel close it, Ctrl and
 * Enter sends it, and what went wrong stands above its buttons.
 */
export const FormDialog = ({
  write,
  action,
  disabled,
  errorAction,
  outdated,
  children,
  ...dialog
}: Omit<DialogProps, 'children'> & FormProps) => (
  <Dialog {...dialog}>
    <Form {...{ write, action, disabled, errorAction, outdated }} onCancel={dialog.onClose}>
      {children}
    </Form>
  </Dialog>
);

type ConfirmProps = {
  onClose: () => void;
  title: string;
  children: ReactNode;
  action: string;
  /** What the user must type first, for something that many people would miss. */
  typed?: string;
  send: () => Promise<unknown>;
  /** The queries to refresh. */
  meta?: MutationMeta;
  /** Called instead of `onClose` once it is done. */
  onDone?: () => unknown;
};

/** Asks before something that can't be undone, and does it. */
export const Confirm = ({
  onClose,
  title,
  children,
  action,
  typed,
  send,
  meta,
  onDone = onClose,
}: ConfirmProps) => {
  const [text, setText] = useState('');
  const write = useMutation({ mutationFn: send, onSuccess: onDone, ...(meta && { meta }) });
  const isReady = (typed === undefined || text.trim() === typed) && !write.isPending;
  return (
    <Dialog open onClose={onClose} title={title}>
      <form onSubmit={submitting(() => isReady && write.mutate())}>
        <div className="mb-4 text-soft">{children}</div>
        {typed !== undefined && (
          <Input
            label={`Type “${typed}” to confirm`}
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={setText}
          />
        )}
        {write.error && <ErrorNote error={write.error} />}
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" disabled={!isReady}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
