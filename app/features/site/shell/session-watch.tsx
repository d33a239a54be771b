import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { subscribeToSession, watchSession } from "#app/lib/session.ts";
import { toast } from "#app/ui/toast.tsx";

/** Keeps the session alive and the frame true: whoever signs in or out, in any tab, is seen in the header. */
export function SessionWatch() {
  const { revalidate } = useRevalidator();
  useEffect(
    () =>
      subscribeToSession((event) => {
        if (event !== "changed") toast(event.failed, "error");
        // Whoever is writing stays on the page (form/leave-guard.tsx): the sign-in page would take the text away.
        else if (dispatchEvent(new Event("session-change", { cancelable: true }))) void revalidate();
      }),
    [revalidate],
  );
  useEffect(watchSession, []);
  return null;
}
