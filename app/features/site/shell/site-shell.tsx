import type { ReactNode } from "react";
import { SiteFooter } from "#app/features/site/shell/site-footer.tsx";
import { useSiteFrame } from "#app/features/site/shell/use-site-frame.ts";
import { SiteHeader } from "#app/features/site/shell/site-header.tsx";
import { ToastRegion } from "#app/ui/toast.tsx";

/** What stands around every page. */
export function SiteShell({ children }: { children: ReactNode }) {
  const frame = useSiteFrame();
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="fixed top-2 left-4 z-50 -translate-y-24 rounded-md bg-primary-80 px-5 py-3 font-semibold text-white focus:translate-y-0"
      >
        본문 바로가기
      </a>
      <SiteHeader frame={frame} />
      <main id="main" tabIndex={-1} className="flex-1">
        {children}
      </main>
      {frame && <SiteFooter frame={frame} />}
      <ToastRegion />
    </div>
  );
}
