import { OWN_PROPOSALS, PROJECTS } from "#app/features/proposal/proposal-paths.ts";
import { useSiteFrame, useTexts } from "#app/lib/page-language.ts";
import { ButtonLink } from "#app/ui/button.tsx";

/** From the page about proposals to the screens, which are in Korean. */
export function ProposalLinks() {
  const frame = useSiteFrame();
  const { language } = useTexts();
  if (language !== "ko" || !frame?.look.hasProposals) return null;
  return (
    <div className="container-page flex flex-wrap gap-2 pt-6 print:hidden">
      <ButtonLink to={OWN_PROPOSALS} variant="primary">
        {frame.user ? "연구 제안하기" : "로그인하고 제안하기"}
      </ButtonLink>
      <ButtonLink to={PROJECTS}>승인된 연구과제</ButtonLink>
    </div>
  );
}
