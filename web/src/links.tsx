import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

/** A link in a text or beside a heading. */
export const TextLink = createLink(({ className = '', ...rest }: ComponentProps<'a'>) => (
  <a className={`text-accent underline ${className}`} {...rest} />
));

/** A link that is underlined only under the pointer, as in a breadcrumb or a title. */
export const QuietLink = createLink(({ className = '', ...rest }: ComponentProps<'a'>) => (
  <a className={`hover:underline ${className}`} {...rest} />
));
