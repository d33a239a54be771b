import { use } from "react";
import { Outlet } from "react-router";
import { PageLanguage, type RouteHandle } from "#app/lib/page-language.ts";
import { ENGLISH_ACCOUNT_SECTIONS } from "#app/lib/texts/english-account.ts";

export const handle: RouteHandle = { sections: ENGLISH_ACCOUNT_SECTIONS };

export default function EnglishAccountLayout() {
  const outer = use(PageLanguage);
  return (
    <PageLanguage value={{ ...outer, sections: { ...outer.sections, ...ENGLISH_ACCOUNT_SECTIONS } }}>
      <Outlet />
    </PageLanguage>
  );
}
