import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { GUEST_MENU, type MenuItem } from "#app/features/site/shell/site-menu.ts";
import { useTexts } from "#app/lib/page-language.ts";
import { signOut } from "#app/lib/session.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { toast } from "#app/ui/toast.tsx";

export function AccountLinks({ userName, items }: { userName: string | null; items: readonly MenuItem[] }) {
  if (userName === null) {
    return (
      <div className="hidden items-center gap-2 xl:flex">
        <GuestLinks />
      </div>
    );
  }
  return (
    <div className="hidden items-center gap-1 xl:flex">
      <UserNameLabel name={userName} />
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
  return (
    <span className="px-2 text-sm whitespace-nowrap text-gray-70">
      <strong className="font-semibold text-gray-90">{name}</strong>님
    </span>
  );
}

export function SignoutButton({ className }: { className?: string }) {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const leave = async () => {
    setBusy(true);
    try {
      // Navigates home first: a members' page would ask the user to sign in again.
      await navigate("/");
      // A user who stays because of unsaved text also stays signed in.
      if (location.pathname !== "/") return;
      await signOut();
      toast("로그아웃하였습니다.");
    } catch {
      toast("로그아웃하지 못했습니다. 잠시 후 다시 시도해 주십시오.", "error");
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button size="sm" busy={busy} onClick={leave} className={className}>
      로그아웃
    </Button>
  );
}
