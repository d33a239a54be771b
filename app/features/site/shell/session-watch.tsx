import { useEffect, useSyncExternalStore } from "react";
import { useLocation, useNavigation, useRevalidator } from "react-router";
import { noteDestination } from "#app/lib/destination.ts";
import { hasRefused, subscribeToRefusal } from "#app/lib/browser-store.ts";
import { useSiteFrame, useTexts } from "#app/lib/page-language.ts";
import { storeGuestRole } from "#app/lib/session-tokens.ts";
import { subscribeToSession, watchSession } from "#app/lib/session.ts";
import { toast } from "#app/ui/toast.tsx";

/** Refreshes the session and reloads the frame after a sign-in or sign-out in any tab. */
export function SessionWatch() {
  const { revalidate } = useRevalidator();
  useEffect(
    () =>
      subscribeToSession((event) => {
        if (event !== "changed") toast(event.failed, "error");
        // Unsaved text prevents the reload (form/leave-guard.tsx): the sign-in page would discard it.
        else if (dispatchEvent(new Event("session-change", { cancelable: true }))) void revalidate();
      }),
    [revalidate],
  );
  useEffect(watchSession, []);
  const here = useLocation();
  const next = useNavigation().location;
  useEffect(() => noteDestination(next ?? here), [here, next]);
  const frame = useSiteFrame();
  const guestRole = frame?.user ? null : frame?.roleCodeForGuest;
  useEffect(() => {
    if (guestRole !== undefined) storeGuestRole(guestRole);
  }, [guestRole]);
  return null;
}

const subscribeToNothing = () => () => {};

export function StorageNotice() {
  const { keepsNothing, blocksCookies } = useTexts().shell;
  const isRefused = useSyncExternalStore(subscribeToRefusal, hasRefused, () => false);
  const hasCookies = useSyncExternalStore(
    subscribeToNothing,
    () => navigator.cookieEnabled,
    () => true,
  );
  if (hasCookies && !isRefused) return null;
  return (
    <p role="status" className="bg-warning-5 px-5 py-3 text-center text-sm text-warning-60 print:hidden">
      {hasCookies ? keepsNothing : blocksCookies}
    </p>
  );
}
