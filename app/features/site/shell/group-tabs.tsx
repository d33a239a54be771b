import { findMenuGroup, useSiteFrame } from "#app/lib/page-language.ts";
import { Tabs } from "#app/ui/tabs.tsx";

export function MenuGroupTabs({ href }: { href: string }) {
  const group = findMenuGroup(useSiteFrame()?.menu ?? [], href);
  const pages = group?.children ?? [];
  if (!group || pages.length < 2) return null;
  return (
    <div className="container-page">
      <Tabs
        label={group.label}
        tabs={pages.map((page) => ({ label: page.label, href: page.href ?? "/", current: page.href === href }))}
      />
    </div>
  );
}
