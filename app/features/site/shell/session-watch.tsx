import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { keepGuest, subscribeToSession, watchSession } from "#app/lib/session.ts";
import { useSiteFrame } from "#app/features/site/shell/use-site-frame.ts";
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
  const frame = useSiteFrame();
  const guestRole = frame?.user ? null : frame?.roleCodeForGuest;
  useEffect(() => {
    if (guestRole !== undefined) keepGuest(guestRole);
  }, [guestRole]);
  return null;
}
