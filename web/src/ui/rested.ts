import { useEffect, useRef, useState } from 'react';

const restMs = 400;

/** A value as it was last when it rested for a moment, so that not each key asks the service. */
export const useRested = <Value>(value: Value): Value => {
  const key = JSON.stringify(value);
  const [rested, setRested] = useState({ key, value });
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  useEffect(() => {
    const timer = setTimeout(() => setRested({ key, value: latest.current }), restMs);
    return () => clearTimeout(timer);
  }, [key]);
  return rested.value;
};
