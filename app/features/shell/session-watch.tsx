import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { onSession, watchSession } from "#app/lib/session.ts";
import { toast } from "#app/ui/toast.tsx";

/** Keeps the session alive and the frame true: whoever signs in or out, in any tab, is seen in the header. */
export function SessionWatch() {
  const { revalidate } = useRevalidator();
  useEffect(
    () =>
      onSession((event) => {
        if (event !== "changed") toast(event.failed, "error");
        // Else the page would be gone for the sign-in page, and the text with it (admin/signin-gate.tsx).
        else if (!document.querySelector("[data-unsaved]")) void revalidate();
      }),
    [revalidate],
  );
  useEffect(watchSession, []);
  return null;
}
