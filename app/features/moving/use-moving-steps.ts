import { useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import { api, callApi } from "#app/lib/api.ts";
import type { MovingStatus } from "#worker/contract/moving/rules.ts";

const WORKING: readonly MovingStatus[] = ["checking", "committing", "undoing"];
const PAUSE_MS = 1500;

export const isWorking = (status: MovingStatus): boolean => WORKING.includes(status);

/** Runs the steps while the page is open; the scheduled job continues without it. */
export function useMovingSteps(id: string, status: MovingStatus, progress: number, text: string) {
  const { revalidate } = useRevalidator();
  const [shown, setShown] = useState({ progress, text });
  useEffect(() => {
    if (!isWorking(status)) return undefined;
    let isLeft = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const step = async () => {
      try {
        const now = await callApi(api.admin.moving[":id"].step.$post({ param: { id }, json: {} }));
        if (isLeft) return;
        setShown({ progress: now.progress, text: now.progressText });
        if (now.status !== status) return void revalidate();
      } catch {
        // A failed step is left to the scheduled job; the next poll shows the progress.
      }
      if (!isLeft) timer = setTimeout(() => void step(), PAUSE_MS);
    };
    void step();
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [id, status, revalidate]);
  return shown;
}
