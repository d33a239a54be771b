import { useLocation } from "react-router";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import type { ReactNode } from "react";

const TABS = [
  { label: "요청 처리", href: "/Admin/Privacy" },
  { label: "보유 기간", href: "/Admin/Privacy/Retention" },
  { label: "파기 대장", href: "/Admin/Privacy/Destructions" },
];

export function PrivacyHeader({ description, action }: { description: ReactNode; action?: ReactNode }) {
  const path = useLocation()
    .pathname.toLowerCase()
    .replace(/(?<!\/)\/+$/, "");
  return (
    <>
      <ConsoleHeader description={description} action={action} />
      <div className="list-count mb-6">
        <Tabs
          label="개인정보"
          tabs={TABS.map((tab) => ({
            ...tab,
            current:
              tab.href === "/Admin/Privacy" ? path === "/admin/privacy" : path.startsWith(tab.href.toLowerCase()),
          }))}
        />
      </div>
    </>
  );
}
