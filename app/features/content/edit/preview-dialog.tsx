import Monitor from "lucide-react/icons/monitor";
import Smartphone from "lucide-react/icons/smartphone";
import { useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { cx } from "#app/ui/cx.ts";
import { Dialog } from "#app/ui/dialog.tsx";

const WIDTHS = { desktop: 1280, phone: 390 };
type Device = keyof typeof WIDTHS;

/** Shows the draft scaled to desktop width or at phone width. */
export function ContentPreviewDialog({ path, onClose }: { path: string | null; onClose: () => void }) {
  const [device, setDevice] = useState<Device>("desktop");
  const [room, setRoom] = useState(0);
  const scale = room === 0 ? 1 : Math.min(1, room / WIDTHS[device]);
  const src = path === null ? "" : `${path}?preview=1`;
  return (
    <Dialog open={path !== null} onClose={onClose} title="미리보기" size="xl">
      <div className="flex flex-wrap items-center gap-2 pb-3">
        <DeviceButton
          Icon={Monitor}
          label="컴퓨터"
          pressed={device === "desktop"}
          onClick={() => setDevice("desktop")}
        />
        <DeviceButton
          Icon={Smartphone}
          label="휴대전화"
          pressed={device === "phone"}
          onClick={() => setDevice("phone")}
        />
        <a
          href={src}
          target="_blank"
          rel="noreferrer"
          className="ml-auto inline-flex min-h-11 items-center px-2 text-primary-70 underline underline-offset-4"
        >
          새 창에서 보기
        </a>
      </div>
      <p className="pb-3 text-sm text-gray-60">
        로그인하지 않은 방문자에게 보일 모습입니다. 초안은 관리자만 볼 수 있습니다.
      </p>
      <div
        ref={(frame) => {
          if (frame && room === 0) setRoom(frame.clientWidth);
        }}
        className={cx("h-[62dvh] overflow-hidden rounded-lg border border-gray-30", device === "phone" && "mx-auto")}
        style={{ width: device === "phone" ? Math.min(WIDTHS.phone, room || WIDTHS.phone) : undefined }}
      >
        <iframe
          key={device}
          src={src}
          // Blocks scripts so that the preview does not watch the session a second time.
          sandbox="allow-same-origin"
          title={device === "phone" ? "휴대전화에서 보는 모습" : "컴퓨터에서 보는 모습"}
          className="block origin-top-left border-0 bg-white"
          style={{ width: WIDTHS[device], height: `${100 / scale}%`, transform: `scale(${scale})` }}
        />
      </div>
    </Dialog>
  );
}

interface DeviceButtonProps {
  Icon: typeof Monitor;
  label: string;
  pressed: boolean;
  onClick: () => void;
}

function DeviceButton({ Icon, label, pressed, onClick }: DeviceButtonProps) {
  return (
    <Button size="sm" variant={pressed ? "primary" : "secondary"} aria-pressed={pressed} onClick={onClick}>
      <Icon aria-hidden="true" className="size-4.5" />
      {label}
    </Button>
  );
}
