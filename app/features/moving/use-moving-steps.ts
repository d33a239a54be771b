import { useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import { api, callApi } from "#app/lib/api.ts";
import type { MovingStatus } from "#worker/contract/moving/rules.ts";

const WORKING: readonly MovingStatus[] = ["checking", "committing", "undoing"];
const PAUSE_MS = 1500;

export const isWorking = (status: MovingStatus): boolean => WORKING.includes(status);

/** Takes the steps of a move while somebody looks on, and shows how far it is; who leaves leaves them to the scheduled job. */
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
        // The scheduled job goes on with it; the next look says how far.
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
