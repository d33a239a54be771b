import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { GUEST_MENU, type MenuItem } from "#app/features/site/shell/site-menu.ts";
import { useTexts } from "#app/lib/page-language.ts";
import { signOut } from "#app/lib/session.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { toast } from "#app/ui/toast.tsx";

export function AccountLinks({ userName, items }: { userName: string | null; items: readonly MenuItem[] }) {
  const { hasWideNames } = useTexts();
  if (userName === null) {
    return (
      <div className="hidden items-center gap-2 xl:flex">
        <GuestLinks />
      </div>
    );
  }
  return (
    <div className="hidden items-center gap-1 xl:flex">
      {!hasWideNames && <UserNameLabel name={userName} />}
      {items.map((item) => (
        <Link
          key={item.label}
          to={item.href ?? "/"}
          className="inline-flex min-h-10 items-center rounded-md px-2 text-sm font-semibold whitespace-nowrap text-gray-70 hover:bg-gray-10"
        >
          {item.label}
        </Link>
      ))}
      <SignoutButton />
    </div>
  );
}

export function GuestLinks() {
  const { shell, pathOf } = useTexts();
  return (
    <>
      <ButtonLink to={pathOf("", GUEST_MENU.signin.href)} size="sm">
        {shell.signin}
      </ButtonLink>
      <ButtonLink to={pathOf("", GUEST_MENU.signup.href)} variant="primary" size="sm">
        {shell.signup}
      </ButtonLink>
    </>
  );
}

export function UserNameLabel({ name }: { name: string }) {
  const { language, langOf } = useTexts();
  return (
    <span className="px-2 text-sm whitespace-nowrap text-gray-70">
      <strong lang={langOf(name)} className="font-semibold text-gray-90">
        {name}
      </strong>
      {language === "ko" && <span>님</span>}
    </span>
  );
}

export function SignoutButton({ className }: { className?: string }) {
  const navigate = useNavigate();
  const { shell, pathOf } = useTexts();
  const [busy, setBusy] = useState(false);
  const home = pathOf("", "/");
  const leave = async () => {
    setBusy(true);
    try {
      // Navigates home first: a members' page would ask the user to sign in again.
      await navigate(home);
      // A user who stays because of unsaved text also stays signed in.
      if (location.pathname !== home) return;
      await signOut();
      toast(shell.signedOut);
    } catch {
      toast(shell.signoutFailed, "error");
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button size="sm" busy={busy} onClick={leave} className={className}>
      {shell.signout}
    </Button>
  );
}
