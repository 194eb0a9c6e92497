import { useCallback, useEffect, useRef } from 'react';

/** Within this time a second click makes a double click of the first, on most systems half a second at most. */
const doubleClickMs = 300;

/**
 * Does something a moment after a click, unless a second one comes: what opens beneath the pointer at once would be what the
 * second click meets. `cancel` is for whoever takes the double click.
 */
export const useSingleClick = <Clicked>(act: (clicked: Clicked) => void) => {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  const cancel = useCallback(() => clearTimeout(timer.current), []);
  useEffect(() => cancel, [cancel]);
  const onClick = useCallback(
    (clicked: Clicked) => {
      cancel();
      timer.current = setTimeout(() => latest.current(clicked), doubleClickMs);
    },
    [cancel],
  );
  return { onClick, cancel };
};
