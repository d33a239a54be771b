import { EventFacts, type OwnActs, OwnRegistrationPart } from "#app/features/event/own-registration.tsx";
import { SigninGate } from "#app/features/form/signin-gate.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { useSection } from "#app/lib/page-language.ts";
import { pageMeta, sectionOf } from "#app/lib/page-meta.ts";
import { KOREAN_REGISTER_TEXTS } from "#app/lib/texts/korean-register.ts";
import { KOREAN_REGISTRATION_TEXTS } from "#app/lib/texts/korean-registration.ts";
import { useRegistrationTexts } from "#app/features/event/registration-state.tsx";
import { useRefused } from "#app/features/event/use-refused.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { getGuestRegistration } from "#worker/domain/event/guest.server.ts";
import type { Route } from "./+types/guest-registration";

export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) => ({
  page: await getGuestRegistration(scope, params.token),
  token: params.token,
}));

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({ matches, title: sectionOf(matches, "registration", KOREAN_REGISTRATION_TEXTS).own });

export default function GuestRegistrationPage({ loaderData: { page, token } }: Route.ComponentProps) {
  const { userName, mine } = page;
  const { own } = useRegistrationTexts();
  const { guestOf } = useSection("register", KOREAN_REGISTER_TEXTS);
  const refused = useRefused();
  const call = api["event-guest"].registration[":token"];
  const param = { token };
  const acts: OwnActs = {
    change: (json) => callApi(call.$patch({ param, json })).catch(refused),
    cancel: (json) => callApi(call.cancel.$post({ param, json })).catch(refused),
  };
  return (
    <>
      <PageHeader title={own} description={guestOf(userName)} />
      <SigninGate className="container-page container-reading grid gap-10 pt-8 pb-16 md:pt-10 md:pb-24">
        <EventFacts page={page} />
        <OwnRegistrationPart key={mine.id} page={page} mine={mine} acts={acts} />
      </SigninGate>
    </>
  );
}
