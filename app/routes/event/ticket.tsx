import { useSyncExternalStore } from "react";
import { AccountPage } from "#app/features/account/account-page.tsx";
import { useEventTexts } from "#app/features/board/event/event-mark.tsx";
import { eventHref } from "#app/features/event/event-paths.ts";
import { MarkButton } from "#app/features/event/registration-acts.tsx";
import { RegistrationBadge } from "#app/features/event/registration-state.tsx";
import { Ticket } from "#app/features/event/ticket.tsx";
import { SigninGate } from "#app/features/form/signin-gate.tsx";
import { localStore } from "#app/lib/browser-store.ts";
import { useSiteFrame } from "#app/lib/page-language.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { signinPathFor } from "#app/lib/return-url.ts";
import { Alert } from "#app/ui/alert.tsx";
import { TextLink } from "#app/ui/inline.tsx";
import { TICKET_MESSAGES } from "#worker/contract/event/event.ts";
import type { DoorTicket } from "#worker/contract/event/view.ts";
import { getTicket } from "#worker/domain/event/ticket.server.ts";
import type { Route } from "./+types/ticket";

export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) => ({
  ...(await getTicket(scope, params.token)),
  path: `/Ticket/${params.token}`,
}));

export const meta = titledMeta("입장권");

export default function TicketPage({ loaderData: { isGenuine, door, path } }: Route.ComponentProps) {
  return (
    <AccountPage title="입장권">
      {door ? (
        <SigninGate className="grid gap-5">
          <Door key={door.id} door={door} />
        </SigninGate>
      ) : isGenuine ? (
        <OwnTicket path={path} />
      ) : (
        <Alert tone="error" title={TICKET_MESSAGES.forged} />
      )}
    </AccountPage>
  );
}

function OwnTicket({ path }: { path: string }) {
  const isGuest = useSiteFrame()?.user == null;
  return (
    <>
      <Ticket path={path} />
      {isGuest && (
        <p className="mt-5 text-center text-sm text-gray-60">
          출석을 받는 직원이시면 <TextLink to={signinPathFor(path, "ko")}>로그인</TextLink>해 주십시오.
        </p>
      )}
    </>
  );
}

/** The event whose tickets this browser took last: its address, then its title. */
const DOOR_KEY = "door";
const neverChanges = () => () => {};

function Door({ door }: { door: DoorTicket }) {
  const { userName, affiliation, item, status, act, said } = door;
  const { spanText } = useEventTexts();
  const own = `${eventHref(item)} ${item.title}`;
  const last = useSyncExternalStore(
    neverChanges,
    () => localStore.read(DOOR_KEY) ?? own,
    () => own,
  );
  return (
    <>
      {last !== own && (
        <Alert tone="warning" title="다른 행사의 입장권입니다.">
          지금까지 ‘{last.slice(last.indexOf(" ") + 1)}’의 출석을 받으셨습니다.
        </Alert>
      )}
      <div>
        <p className="text-2xl font-bold">{userName}</p>
        {affiliation && <p className="mt-1 text-lg">{affiliation}</p>}
      </div>
      <p>
        <TextLink to={eventHref(item)}>{item.title}</TextLink>
        {item.event && <span className="tabular block text-gray-60">{spanText(item.event)}</span>}
      </p>
      <p role="status" className="flex flex-wrap items-center gap-2">
        <RegistrationBadge status={status} queue={null} /> {said}
      </p>
      {act && (
        <MarkButton
          mark={act}
          row={door}
          size="lg"
          className="needs-script w-full"
          onMarked={() => localStore.write(DOOR_KEY, own)}
        />
      )}
    </>
  );
}
