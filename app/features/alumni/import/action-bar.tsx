import type { ReactNode } from "react";
import { BusyProgress, type BusyState } from "./progress.tsx";
import { ErrorAlert } from "#app/ui/alert.tsx";

interface ActionBarProps {
  busy: BusyState | null;
  error: string | null;
  text?: string | undefined;
  children?: ReactNode;
}

export function ActionBar({ busy, error, text, children }: ActionBarProps) {
  return (
    <div className="sticky bottom-0 z-10 mt-6 border-t border-gray-30 bg-white py-3">
      <ErrorAlert className="mb-3">{error}</ErrorAlert>
      {busy && <BusyProgress busy={busy} className="mb-3" />}
      {busy?.canLeave && (
        <p className="mb-3 text-sm text-gray-60">
          화면을 떠나셔도 여기까지 저장한 것은 그대로이고, 이 화면에서 이어서 가져오거나 되돌릴 수 있습니다.
        </p>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2">
        {text && <p className="mr-auto text-sm text-gray-70">{text}</p>}
        {children}
      </div>
    </div>
  );
}
