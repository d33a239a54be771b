import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import { VersionList } from "#app/features/content/edit/version-list.tsx";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { type Question, QuestionButton } from "#app/features/form/question.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";

interface VersionHistoryProps {
  title: string;
  /** The page where it is edited. */
  path: string;
  versions: Parameters<typeof VersionList>[0]["versions"];
  chosen: number | undefined;
  emptyText: string;
  children: ReactNode;
}

/** All that was published of a page, beside the version that is looked at. */
export function VersionHistory({ title, path, versions, chosen, emptyText, children }: VersionHistoryProps) {
  return (
    <>
      <ConsoleHeader
        title={`${title} 이력`}
        description="게시한 판은 모두 남습니다. 이전 판을 불러오면 초안이 되고, 게시해야 방문자에게 보입니다."
        action={
          <ButtonLink size="sm" to={path}>
            고치기
          </ButtonLink>
        }
      />
      {versions.length === 0 ? (
        <Empty className="border-y border-gray-20">{emptyText}</Empty>
      ) : (
        <div className="grid gap-8 xl:grid-cols-[16rem_minmax(0,1fr)]">
          <VersionList path={`${path}/History`} versions={versions} chosen={chosen ?? 0} />
          {chosen === undefined ? <Empty>그 판을 찾을 수 없습니다.</Empty> : <div className="min-w-0">{children}</div>}
        </div>
      )}
    </>
  );
}

interface ChosenVersionHeaderProps {
  versionNo: number;
  /** What it is compared with. */
  noun: "내용" | "글";
  hasDraft: boolean;
  path: string;
  restore: () => Promise<unknown>;
}

/** What the version is compared with, and the way to make a draft of it. */
export function ChosenVersionHeader({ versionNo, noun, hasDraft, path, restore }: ChosenVersionHeaderProps) {
  const navigate = useNavigate();
  const by = noun === "글" ? "글로" : "내용으로";
  const question: Question = {
    label: "불러오기",
    title: `${versionNo}판을 불러오시겠습니까?`,
    text: <p>{hasDraft ? `지금 저장된 초안을 이 판의 ${by} 바꿉니다.` : `이 판의 ${by} 초안을 만듭니다.`}</p>,
    work: restore,
    done: `${versionNo}판을 초안으로 불러왔습니다.`,
    onDone: () => navigate(path),
  };
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <h2 className="text-xl">
        {versionNo}판과 지금 {noun}의 차이
      </h2>
      <QuestionButton question={question}>이 판을 초안으로 불러오기</QuestionButton>
    </div>
  );
}
