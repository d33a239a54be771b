import { useBoardHrefs } from "#app/features/board/post-texts.ts";
import { eventHref, eventSettingHref } from "#app/features/event/event-paths.ts";
import { RegistrationBadge, RegistrationState, useRegistrationTexts } from "#app/features/event/registration-state.tsx";
import { useSiteFrame, useTexts } from "#app/lib/page-language.ts";
import { signinPathFor } from "#app/lib/return-url.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { registrationHref } from "#worker/contract/event/event.ts";
import type { OwnRegistration, RegistrationSummary } from "#worker/contract/event/view.ts";

interface RegistrationBlockProps {
  item: { boardCode: string; itemNo: number };
  /** Null where the event takes no registrations. */
  registration: RegistrationSummary | null;
  own: Pick<OwnRegistration, "status" | "queue"> | null;
}

/** On the page of the item: state, free places, the reader's own registration, and the way to register. */
export function RegistrationBlock({ item, registration, own }: RegistrationBlockProps) {
  const { title } = useRegistrationTexts();
  const { language } = useTexts();
  const user = useSiteFrame()?.user ?? null;
  const isOffice = language === "ko" && user?.isAdministrator === true && user.consoleRights.includes("Event_Manage");
  if (!registration && !isOffice) return null;
  return (
    <section className="registration-card">
      <h2>{title}</h2>
      {registration && <RegistrationState registration={registration} />}
      {registration && <RegisterLink {...{ item, registration, own }} isGuest={user === null} />}
      {isOffice && (
        <ButtonLink size="sm" to={registration ? eventHref(item) : eventSettingHref(item)}>
          {registration ? "신청 관리" : "신청 받기"}
        </ButtonLink>
      )}
    </section>
  );
}

type RegisterLinkProps = RegistrationBlockProps & { registration: RegistrationSummary; isGuest: boolean };

function RegisterLink({ item, registration, own, isGuest }: RegisterLinkProps) {
  const texts = useRegistrationTexts();
  const { language } = useTexts();
  const page = useBoardHrefs().to(registrationHref(item.boardCode, item.itemNo));
  if (own)
    return (
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="flex items-center gap-2">
          {texts.own} <RegistrationBadge {...own} />
        </p>
        <ButtonLink size="sm" to={page}>
          {texts.show}
        </ButtonLink>
      </div>
    );
  const { phase, isFull, useWaiting, takesGuests } = registration;
  if (phase !== "open" || (isFull && !useWaiting)) return null;
  const act = texts.act(isFull);
  const asksSignin = isGuest && !takesGuests;
  return (
    <ButtonLink variant="primary" to={asksSignin ? signinPathFor(page, language) : page}>
      {asksSignin ? texts.signinFirst(act) : act}
    </ButtonLink>
  );
}
