import { useCallback, useEffect, useRef } from 'react';

/** Time to wait for a second click that makes a double click. Most systems allow up to half a second. */
const doubleClickMs = 300;

/**
 * Acts on a click after a moment, unless a second click follows: what opens under the pointer at once would get the second click.
 * The handler of the double click calls `cancel`.
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
