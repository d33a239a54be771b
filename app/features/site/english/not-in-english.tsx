import { useLocation } from "react-router";
import { ButtonLink } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { koreanPath } from "#worker/contract/kernel/language.ts";

const TITLE = "This page has not been translated";

export function NotInEnglish() {
  const { pathname } = useLocation();
  return (
    <>
      <PageHeader title={TITLE} />
      <div className="container-page pb-16 md:pb-24">
        <Empty
          action={
            <ButtonLink to={koreanPath(pathname)} hrefLang="ko" variant="primary">
              Read it in Korean
            </ButtonLink>
          }
        >
          It is available in Korean only.
        </Empty>
      </div>
    </>
  );
}
