import { ContentPreviewDialog } from "#app/features/content/edit/preview-dialog.tsx";
import { type PublishChoice, PublishContentDialog } from "#app/features/content/edit/publish-dialog.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";

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
