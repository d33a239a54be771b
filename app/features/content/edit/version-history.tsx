import type { ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { type Question, QuestionButton } from "#app/features/form/action.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { withParticle } from "#worker/contract/kernel/wording.ts";
import { Time } from "#app/ui/inline.tsx";
import type { ContentVersionInfo } from "#worker/contract/content/view.ts";

interface VersionHistoryProps {
  title: string;
  path: string;
  versions: Parameters<typeof VersionList>[0]["versions"];
  chosen: number | undefined;
  emptyText: string;
  noun: "내용" | "글";
  hasDraft: boolean;
  restore: (versionNo: number) => Promise<unknown>;
  className?: string;
  children: ReactNode;
}

export function VersionHistory(props: VersionHistoryProps) {
  const { title, path, versions, chosen, emptyText, noun, hasDraft, restore, className, children } = props;
  return (
    <>
      <ConsoleHeader
        title={`${title} 이력`}
        description="게시한 버전은 모두 남습니다. 이전 버전을 불러오면 초안이 되고, 게시해야 방문자에게 보입니다."
        links={[{ label: "고치기", href: path }]}
      />
      {versions.length === 0 ? (
        <Empty className="border-y border-gray-20">{emptyText}</Empty>
      ) : (
        <div className="grid gap-8 xl:grid-cols-[16rem_minmax(0,1fr)]">
          <VersionList path={`${path}/History`} versions={versions} chosen={chosen ?? 0} />
          {chosen === undefined ? (
            <Empty>그 버전을 찾을 수 없습니다.</Empty>
          ) : (
            <div className="min-w-0">
              <div key={chosen} className={className}>
                <ChosenVersionHeader versionNo={chosen} {...{ noun, hasDraft, path }} restore={() => restore(chosen)} />
                {children}
              </div>
            </div>
          )}
        </div>
      )}
    </>
  );
}

interface ChosenVersionHeaderProps extends Pick<VersionHistoryProps, "noun" | "hasDraft" | "path"> {
  versionNo: number;
  restore: () => Promise<unknown>;
}

function ChosenVersionHeader({ versionNo, noun, hasDraft, path, restore }: ChosenVersionHeaderProps) {
  const navigate = useNavigate();
  const name = `버전 ${versionNo}`;
  const by = noun === "글" ? "글로" : "내용으로";
  const question: Question = {
    label: "불러오기",
    title: `${withParticle(name, "을/를")} 불러오시겠습니까?`,
    text: <p>{hasDraft ? `지금 저장된 초안을 이 버전의 ${by} 바꿉니다.` : `이 버전의 ${by} 초안을 만듭니다.`}</p>,
    work: restore,
    done: `${withParticle(name, "을/를")} 초안으로 불러왔습니다.`,
    onDone: () => navigate(path),
  };
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <h2 className="text-xl">
        {withParticle(name, "과/와")} 지금 {noun}의 차이
      </h2>
      <QuestionButton question={question}>이 버전을 초안으로 불러오기</QuestionButton>
    </div>
  );
}

function VersionList({
  path,
  versions,
  chosen,
}: {
  path: string;
  versions: readonly ContentVersionInfo[];
  chosen: number;
}) {
  return (
    <nav aria-label="버전">
      <ol className="divide-y divide-gray-20 border-y border-gray-20">
        {versions.map((version) => (
          <li key={version.versionNo}>
            <Link
              to={`${path}?version=${version.versionNo}`}
              preventScrollReset
              aria-current={version.versionNo === chosen ? "true" : undefined}
              className="block px-3 py-3 hover:bg-gray-5 aria-[current]:bg-primary-5 aria-[current]:font-semibold"
            >
              버전 {version.versionNo} · <Time date={version.effectiveDate} format="long" /> 시행
              <span className="block text-sm text-gray-60">
                {version.createdUserName}
                {version.note && ` · ${version.note}`}
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
