import { Tabs } from "#app/ui/tabs.tsx";
import { INFO_PAGES, type InfoPageCode, infoPath } from "#worker/contract/info-pages.ts";

/** The pages of one menu group, beside each other. */
export function GroupTabs({ code, productCode }: { code: InfoPageCode; productCode: string }) {
  const { group } = INFO_PAGES[code];
  const codes = (Object.keys(INFO_PAGES) as InfoPageCode[]).filter((other) => INFO_PAGES[other].group === group);
  if (codes.length < 2) return null;
  return (
    <div className="container-page">
      <Tabs
        label={group}
        tabs={codes.map((other) => ({
          label: INFO_PAGES[other].label,
          href: infoPath(productCode, other),
          current: other === code,
        }))}
      />
    </div>
  );
}
