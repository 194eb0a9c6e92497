import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';

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

export const Button = ({ look = 'plain', className = '', type = 'button', ...rest }: ButtonProps) => (
  <button type={type} className={buttonClass(look, className)} {...rest} />
);

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
