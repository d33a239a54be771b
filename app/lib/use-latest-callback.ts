import { useEffect, useRef, useState } from "react";

export function useLatestCallback<T>(act: () => T): () => T {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  const [call] = useState(() => () => latest.current());
  return call;
}
