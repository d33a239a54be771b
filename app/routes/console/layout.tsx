import { type LinksFunction, Outlet } from "react-router";
import { ConsoleEntryPrompt } from "#app/features/access/console-entry-prompt.tsx";
import { SigninGate } from "#app/features/form/signin-gate.tsx";
import { ConsoleShell } from "#app/features/site/console/console-shell.tsx";
import consoleCss from "#app/features/site/console/console.css?url";

export const handle = { ownFrame: true };

export const links: LinksFunction = () => [{ rel: "stylesheet", href: consoleCss }];

export default function ConsoleLayout() {
  return (
    <ConsoleShell>
      <SigninGate className="mx-auto max-w-[96rem] min-w-0">
        <Outlet />
      </SigninGate>
      <ConsoleEntryPrompt />
    </ConsoleShell>
  );
}
