import ExternalLink from "lucide-react/icons/external-link";
import { useState } from "react";
import { useLocation } from "react-router";
import { useRootData, useTexts, useWords } from "#app/lib/page-language.ts";
import { api, callApi } from "#app/lib/api.ts";
import { returningPath } from "#app/lib/return-url.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { AppError } from "#worker/contract/kernel/errors.ts";

export function ServiceLink() {
  const frame = useRootData<{ user: object | null; look: { hasNoCaseReport?: true } }>();
  const say = useWords();
  const { pathname } = useLocation();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const { service, newWindowShort } = useTexts();
  const label = say(service.name);
  if (frame?.look.hasNoCaseReport) return null;
  if (!frame?.user) {
    return (
      <ButtonLink to={returningPath("/account/signin", pathname)} variant="primary">
        {service.afterSignin(label)}
      </ButtonLink>
    );
  }
  const open = async () => {
    // Opens the tab inside the click handler; otherwise popup blockers stop it.
    const tab = window.open("", "_blank");
    setBusy(true);
    setProblem("");
    try {
      const { url } = await callApi(api["case-report"].token.$post());
      if (tab) {
        tab.opener = null;
        tab.location.replace(url);
      } else location.assign(url);
    } catch (error) {
      tab?.close();
      setProblem(error instanceof AppError ? error.message : service.failed);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div>
      <Button variant="primary" busy={busy} onClick={() => void open()} className="needs-script">
        {label}
        <ExternalLink aria-hidden="true" className="size-5" />
        <span className="sr-only">{newWindowShort}</span>
      </Button>
      <ErrorAlert className="mt-3">{problem}</ErrorAlert>
    </div>
  );
}
