import { useEffect, useState } from "react";

/** The visitor's clock, read each second while somebody watches it. */
export function useCurrentTime(watching: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!watching) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [watching]);
  return now;
}
