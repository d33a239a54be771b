import { EventFacts, type OwnActs, OwnRegistrationPart } from "#app/features/event/own-registration.tsx";
import { SigninGate } from "#app/features/form/signin-gate.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { getGuestRegistration } from "#worker/domain/event/guest.server.ts";
import type { Route } from "./+types/guest-registration";

export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) => ({
  page: await getGuestRegistration(scope, params.token),
  token: params.token,
}));

export const meta = titledMeta("내 신청");

export default function GuestRegistrationPage({ loaderData: { page, token } }: Route.ComponentProps) {
  const { userName, mine } = page;
  const call = api["event-guest"].registration[":token"];
  const param = { token };
  const acts: OwnActs = {
    change: (json) => callApi(call.$patch({ param, json })),
    cancel: (json) => callApi(call.cancel.$post({ param, json })),
  };
  return (
    <>
      <PageHeader title="내 신청" description={`${userName}님의 행사 신청`} />
      <SigninGate className="container-page container-reading grid gap-10 pt-8 pb-16 md:pt-10 md:pb-24">
        <EventFacts page={page} />
        <OwnRegistrationPart key={mine.id} page={page} mine={mine} acts={acts} />
      </SigninGate>
    </>
  );
}
