import { useEffect, useState } from "react";
import { now } from "#app/lib/clock.ts";

export function useCurrentTime(watching: boolean): number {
  const [time, setTime] = useState(now);
  useEffect(() => {
    if (!watching) return;
    const timer = setInterval(() => setTime(now()), 1000);
    return () => clearInterval(timer);
  }, [watching]);
  return time;
}
