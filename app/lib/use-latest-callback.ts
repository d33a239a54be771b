import { useEffect, useRef, useState } from "react";

/** A function that never changes and calls what was given to the newest rendering. */
export function useLatestCallback<T>(act: () => T): () => T {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  const [call] = useState(() => () => latest.current());
  return call;
}
