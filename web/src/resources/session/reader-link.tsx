import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { useMay } from './me.ts';

/** A link in a text to a page that people who only review may not see: they read its text alone. */
export const ReaderLink = createLink(({ className = '', children, ...rest }: ComponentProps<'a'>) => {
  const { read } = useMay();
  if (!read) return <span>{children}</span>;
  return (
    <a className={`text-accent underline ${className}`} {...rest}>
      {children}
    </a>
  );
});
