import { ConfirmDialog, Dialog } from "#app/ui/dialog.tsx";
import Monitor from "lucide-react/icons/monitor";
import Smartphone from "lucide-react/icons/smartphone";
import { useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { cx } from "#app/ui/cx.ts";
import { formText } from "#app/features/form/action.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { PUBLISH_NOTE_MAX } from "#worker/contract/content/rules.ts";

const QUESTIONS = {
  drop: {
    title: "초안을 버리시겠습니까?",
    confirmLabel: "버리기",
    text: "지금 게시된 내용으로 돌아갑니다. 버린 초안은 되살릴 수 없습니다.",
  },
  withdraw: {
    title: "게시를 내리시겠습니까?",
    confirmLabel: "내리기",
    text: "방문자에게 '서비스 준비중입니다'라고 나옵니다. 내용은 이력에 남고, 다시 게시할 수 있습니다.",
  },
};

export type DraftAct = keyof typeof QUESTIONS;

interface DraftDialogsProps {
  asking: "publish" | DraftAct | null;
  preview: string | null;
  /** True if a date of entry into force can be chosen. */
  hasDay: boolean;
  busy: boolean;
  onClose: () => void;
  onClosePreview: () => void;
  onPublish: (choice: PublishChoice) => Promise<void>;
  onAct: (act: DraftAct) => Promise<void>;
}

export function DraftDialogs(props: DraftDialogsProps) {
  const { asking, preview, hasDay, busy, onClose, onClosePreview, onPublish, onAct } = props;
  const act = asking === "withdraw" ? "withdraw" : "drop";
  const { title, confirmLabel, text } = QUESTIONS[act];
  return (
    <>
      <ContentPreviewDialog path={preview} onClose={onClosePreview} />
      <PublishContentDialog
        open={asking === "publish"}
        hasDay={hasDay}
        busy={busy}
        error={null}
        onClose={onClose}
        onPublish={onPublish}
      />
      <ConfirmDialog
        open={asking === act}
        onClose={onClose}
        title={title}
        confirmLabel={confirmLabel}
        danger
        busy={busy}
        onConfirm={() => void onAct(act)}
      >
        <p>{text}</p>
      </ConfirmDialog>
    </>
  );
}

const WIDTHS = { desktop: 1280, phone: 390 };
/** Shows the draft scaled to desktop width or at phone width. */
function ContentPreviewDialog({ path, onClose }: { path: string | null; onClose: () => void }) {
  const [device, setDevice] = useState<keyof typeof WIDTHS>("desktop");
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

export interface PublishChoice {
  note: string;
  effectiveDate?: string;
}

interface PublishContentDialogProps {
  open: boolean;
  /** Only terms and the privacy notice have a date of entry into force. */
  hasDay: boolean;
  busy: boolean;
  error: string | null;
  onClose: () => void;
  onPublish: (publication: PublishChoice) => void;
}

function PublishContentDialog({ open, hasDay, busy, error, onClose, onPublish }: PublishContentDialogProps) {
  const [dayError, setDayError] = useState<string | null>(null);
  const submit = (form: FormData) => {
    const day = formText(form, "effectiveDate");
    if (day !== "" && Number.isNaN(Date.parse(day))) return setDayError("시행일을 다시 입력해 주십시오.");
    setDayError(null);
    const effectiveDate = day === "" ? {} : { effectiveDate: `${day}T00:00:00+09:00` };
    onPublish({ note: formText(form, "note"), ...effectiveDate });
  };
  return (
    <FormDialog
      title="게시하시겠습니까?"
      size="md"
      submitLabel="게시"
      open={open}
      onClose={onClose}
      busy={busy}
      error={error}
      onSubmit={submit}
    >
      <p>
        {hasDay
          ? "시행일부터 방문자에게 보입니다. 지금까지의 버전은 이전 버전으로 남습니다."
          : "바로 방문자에게 보입니다. 지금까지의 내용은 이력에 남아 언제든지 되돌릴 수 있습니다."}
      </p>
      {hasDay && (
        <Field label="시행일" hint="비워 두면 지금부터 시행합니다." error={dayError}>
          <Input name="effectiveDate" type="date" />
        </Field>
      )}
      <Field label="바뀐 점" hint="이력에 남깁니다. 예: 연락처 변경">
        <Input name="note" maxLength={PUBLISH_NOTE_MAX} autoComplete="off" />
      </Field>
    </FormDialog>
  );
}
