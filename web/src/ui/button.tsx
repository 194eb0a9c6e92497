import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, MouseEvent } from 'react';

const base =
  'inline-flex shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-md border font-medium disabled:opacity-50 disabled:cursor-not-allowed';
const looks = {
  primary: 'border-transparent bg-solid text-white hover:brightness-110',
  plain: 'border-line bg-surface text-ink hover:bg-hover',
  quiet: 'border-transparent text-soft hover:bg-hover hover:text-ink',
  danger: 'border-line bg-surface text-fail hover:bg-fail-wash',
};
export type ButtonLook = keyof typeof looks;

type ButtonProps = ComponentProps<'button'> & { look?: ButtonLook };

/** The class of a button, for links that look like one. */
export const buttonClass = (look: ButtonLook = 'plain', extra = '') =>
  `${base} h-7 px-3 ${looks[look]} ${extra}`;

/** Does once what a double click asks for: the button of a write is disabled too late for the second click. */
const once = (onClick: ButtonProps['onClick']) => (event: MouseEvent<HTMLButtonElement>) => {
  if (event.detail > 1) event.preventDefault();
  else onClick?.(event);
};

/** A button. One that sends a form, or has the look of the main action, ignores the second click of a double click. */
export const Button = ({
  look = 'plain',
  className = '',
  type = 'button',
  onClick,
  ...rest
}: ButtonProps) => {
  const writes = type === 'submit' || look === 'primary' || look === 'danger';
  return (
    <button
      type={type}
      className={buttonClass(look, className)}
      onClick={writes ? once(onClick) : onClick}
      {...rest}
    />
  );
};

type IconButtonProps = Omit<ButtonProps, 'aria-label' | 'children'> & {
  icon: LucideIcon;
  size?: number;
  label: string;
};

/** A button with an icon alone; `label` is its name for screen readers and on hover. */
export const IconButton = ({
  icon: Icon,
  size = 14,
  label,
  look = 'quiet',
  className = '',
  ...rest
}: IconButtonProps) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    className={`${base} size-7 ${looks[look]} ${className}`}
    {...rest}
  >
    <Icon size={size} aria-hidden />
  </button>
);
