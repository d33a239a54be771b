import { useState } from "react";
import { ArticleBody } from "#app/features/file/article.tsx";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Time } from "#app/ui/time.tsx";

interface ConflictText {
  title: string;
  content: string;
  files: readonly { fileName: string }[];
}

interface ConflictDialogProps {
  mine: ConflictText;
  theirs: ConflictText & { modifiedDate: string };
  busy: boolean;
  /** Back to writing, nothing decided. */
  onClose: () => void;
  onTakeMine: () => void;
  onTakeTheirs: () => void;
}

/** Somebody else saved the item meanwhile: both texts side by side, and nothing is overwritten unasked. */
export function ConflictDialog({ mine, theirs, busy, onClose, onTakeMine, onTakeTheirs }: ConflictDialogProps) {
  const [copied, setCopied] = useState("");
  const copy = async () => {
    try {
      await copyConflictText(mine);
      setCopied("내 글을 복사하였습니다.");
    } catch {
      setCopied("복사하지 못하였습니다. 왼쪽 글을 직접 선택하여 복사해 주십시오.");
    }
  };
  return (
    <Dialog open onClose={onClose} title="그사이 다른 곳에서 글이 바뀌었습니다" size="lg" locked={busy}>
      <p className="text-gray-70">
        두 글을 비교한 뒤 선택해 주십시오. 저장된 글은 <Time date={theirs.modifiedDate} format="datetime" />에
        수정되었습니다.
      </p>
      <div className="mt-4 grid gap-4 md:grid-cols-2">
        <ConflictSide name="내가 쓴 글" title={mine.title} html={mine.content} files={mine.files} />
        <ConflictSide name="저장된 글" title={theirs.title} html={theirs.content} files={theirs.files} />
      </div>
      <p role="status" className="mt-3 text-sm text-gray-70">
        {copied}
      </p>
      <div className="mt-3 flex flex-wrap justify-end gap-2">
        <Button size="sm" onClick={copy}>
          내 글 복사
        </Button>
        <Button size="sm" onClick={onTakeTheirs} disabled={busy}>
          저장된 글 불러오기
        </Button>
        <Button size="sm" variant="primary" busy={busy} onClick={onTakeMine}>
          내 글로 저장
        </Button>
      </div>
    </Dialog>
  );
}

function ConflictSide({ name, title, html, files }: { name: string; html: string } & Omit<ConflictText, "content">) {
  return (
    <section
      aria-label={name}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard
      tabIndex={0}
      className="max-h-[45dvh] min-w-0 overflow-y-auto rounded-lg border border-gray-20 p-4"
    >
      <h3 className="text-sm text-primary-60">{name}</h3>
      <p className="mt-1 font-bold text-gray-90">{title}</p>
      <ArticleBody html={html} />
      {files.length > 0 && (
        <p className="border-t border-gray-20 pt-2 text-sm text-gray-60">
          첨부파일: {files.map((file) => file.fileName).join(", ")}
        </p>
      )}
    </section>
  );
}

async function copyConflictText({ title, content }: ConflictText): Promise<void> {
  const { body } = new DOMParser().parseFromString(content, "text/html");
  for (const block of body.querySelectorAll("p,li,h2,h3,h4,tr,br")) block.append("\n");
  const heading = document.createElement("h2");
  heading.textContent = title;
  const html = new Blob([heading.outerHTML + content], { type: "text/html" });
  const text = new Blob([`${title}\n\n${body.textContent ?? ""}`], { type: "text/plain" });
  await navigator.clipboard.write([new ClipboardItem({ "text/html": html, "text/plain": text })]);
}
