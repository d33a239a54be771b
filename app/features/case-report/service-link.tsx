import ExternalLink from "lucide-react/icons/external-link";
import { useState } from "react";
import { useLocation } from "react-router";
import { useRootData } from "#app/lib/root-data.ts";
import { useWords } from "#app/lib/use-words.ts";
import { api, callApi } from "#app/lib/api.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { AppError } from "#worker/contract/kernel/errors.ts";

/** On to the external case-report service, in a new tab, for those who may. */
export function ServiceLink() {
  const frame = useRootData<{ user: object | null; look: { hasNoCaseReport?: true } }>();
  const say = useWords();
  const { pathname } = useLocation();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const label = say("{증례등록} 서비스");
  if (frame?.look.hasNoCaseReport) return null;
  if (!frame?.user) {
    return (
      <ButtonLink to={`/account/signin?returnUrl=${encodeURIComponent(pathname)}`} variant="primary">
        {label} (로그인 후 이용)
      </ButtonLink>
    );
  }
  const open = async () => {
    // Opened in the click itself, or the browser takes it for an advertisement.
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
      setProblem(error instanceof AppError ? error.message : "서비스를 열지 못했습니다.");
    } finally {
      setBusy(false);
    }
  };
  return (
    <div>
      <Button variant="primary" busy={busy} onClick={() => void open()} className="needs-script">
        {label}
        <ExternalLink aria-hidden="true" className="size-5" />
        <span className="sr-only">(새 창)</span>
      </Button>
      <ErrorAlert className="mt-3">{problem}</ErrorAlert>
    </div>
  );
}
