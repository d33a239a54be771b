import { useState } from "react";
import { ArticleBody } from "#app/ui/article.tsx";
import { ConflictDialog } from "#app/features/form/conflict-view.tsx";
import { Button } from "#app/ui/button.tsx";
import { Time } from "#app/ui/inline.tsx";

interface WrittenText {
  title: string;
  content: string;
  files: readonly { fileName: string }[];
  englishTitle?: string;
  englishContent?: string;
}

interface TextConflictProps {
  mine: WrittenText;
  stored: WrittenText & { modifiedDate: string };
  busy: boolean;
  onClose: () => void;
  onTakeMine: () => void;
  onTakeStored: () => void;
}

const fileNames = ({ files }: WrittenText) => files.map(({ fileName }) => fileName).join(", ");

export function TextConflict({ mine, stored, ...choice }: TextConflictProps) {
  const [outcome, setOutcome] = useState("");
  const copy = async () => {
    try {
      await copyText(mine);
      setOutcome("내 글을 복사하였습니다.");
    } catch {
      setOutcome("복사하지 못했습니다. 왼쪽 글을 직접 선택하여 복사해 주십시오.");
    }
  };
  const english = englishRows(mine, stored);
  const files = { label: "첨부파일", mine: fileNames(mine), stored: fileNames(stored) };
  return (
    <ConflictDialog
      {...choice}
      noun="글"
      description={
        <p>
          두 글을 비교한 뒤 선택해 주십시오. 저장된 글은 <Time date={stored.modifiedDate} format="datetime" />에
          수정되었습니다.
        </p>
      }
      rows={[
        { label: "제목", mine: mine.title, stored: stored.title },
        {
          label: "내용",
          mine: <ArticleBody html={mine.content} />,
          stored: <ArticleBody html={stored.content} />,
          isLong: true,
        },
        ...english,
        ...(files.mine || files.stored ? [files] : []),
      ]}
    >
      <span role="status" className="self-center text-sm text-gray-70">
        {outcome}
      </span>
      <Button size="sm" onClick={copy}>
        내 글 복사
      </Button>
    </ConflictDialog>
  );
}

function englishRows(mine: WrittenText, stored: WrittenText) {
  const isWritten = (text: WrittenText) => Boolean(text.englishTitle) || Boolean(text.englishContent);
  if (!isWritten(mine) && !isWritten(stored)) return [];
  return [
    { label: "영문 제목", mine: mine.englishTitle ?? "", stored: stored.englishTitle ?? "" },
    {
      label: "영문 내용",
      mine: <ArticleBody html={mine.englishContent ?? ""} />,
      stored: <ArticleBody html={stored.englishContent ?? ""} />,
      isLong: true,
    },
  ];
}

async function copyText(mine: WrittenText): Promise<void> {
  const title = [mine.title, mine.englishTitle].filter(Boolean).join(" / ");
  const content = mine.content + (mine.englishContent ?? "");
  const { body } = new DOMParser().parseFromString(content, "text/html");
  for (const block of body.querySelectorAll("p,li,h2,h3,h4,tr,br")) block.append("\n");
  const heading = document.createElement("h2");
  heading.textContent = title;
  const html = new Blob([heading.outerHTML + content], { type: "text/html" });
  const text = new Blob([`${title}\n\n${body.textContent ?? ""}`], { type: "text/plain" });
  await navigator.clipboard.write([new ClipboardItem({ "text/html": html, "text/plain": text })]);
}
