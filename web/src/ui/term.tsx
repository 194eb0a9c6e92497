import { Tooltip } from '@base-ui/react/tooltip';
import { createContext, type ReactNode, useContext } from 'react';
import { type TermName, terms } from './terms.ts';

/** Opens a part of the guide beside the page. */
export const GuideContext = createContext<(place: string) => void>(() => {});

type TermProps = {
  of: TermName;
  /** How the page writes it; default its name. */
  children?: ReactNode;
};

/** A term with its meaning in one line, on hover or focus. A click opens the guide beside the page. */
export const Term = ({ of, children = of }: TermProps) => {
  const openGuide = useContext(GuideContext);
  const { meaning, place } = terms[of];
  return (
    <Tooltip.Root>
      <Tooltip.Trigger
        delay={200}
        className="cursor-help text-inherit underline decoration-dotted underline-offset-2"
        onClick={() => openGuide(place)}
      >
        {children}
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Positioner sideOffset={4} className="z-50">
          <Tooltip.Popup className="max-w-72 rounded-md border bg-surface px-2 py-1 text-sm text-ink shadow-lg">
            {meaning}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
};
