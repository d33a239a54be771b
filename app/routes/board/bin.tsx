import { useState } from "react";
import { useRevalidator } from "react-router";
import { listPath } from "#app/features/board/paths.ts";
import { PageHeader } from "#app/features/shell/page-header.tsx";
import { api, call } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { pageMeta } from "#app/lib/meta.ts";
import { page } from "#app/lib/page.server.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { Table, Td, Th } from "#app/ui/table.tsx";
import { Time } from "#app/ui/time.tsx";
import { toast } from "#app/ui/toast.tsx";
import { boardCode } from "#worker/contract/board.ts";
import { binQuery } from "#worker/contract/board-manage.ts";
import { AppError, ERRORS } from "#worker/contract/errors.ts";
import { parse } from "#worker/contract/parse.ts";
import { listBin } from "#worker/domain/board/bin.server.ts";
import type { Route } from "./+types/bin";

export const loader = page(async (door, { params, request }: Route.LoaderArgs) => {
  const code = boardCode.safeParse(params.boardCode.toLowerCase());
  if (!code.success) throw new AppError("NOT_FOUND", { message: "게시판을 찾을 수 없습니다." });
  return listBin(door, code.data, parse(binQuery, Object.fromEntries(new URL(request.url).searchParams)));
});

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return pageMeta({ matches, title: loaderData ? `${loaderData.board.boardName} 휴지통` : "휴지통" });
}

type Act = "restore" | "destroy" | "empty";
const ACTS: Record<Act, { title: string; label: string; done: string; text: string }> = {
  restore: {
    title: "글을 복원하시겠습니까?",
    label: "복원",
    done: "글을 복원하였습니다.",
    text: "고른 글이 댓글, 첨부파일과 함께 목록으로 돌아갑니다.",
  },
  destroy: {
    title: "영구 삭제하시겠습니까?",
    label: "영구 삭제",
    done: "글을 영구 삭제하였습니다.",
    text: "고른 글은 댓글, 첨부파일과 함께 없어지며 되살릴 수 없습니다.",
  },
  empty: {
    title: "휴지통을 비우시겠습니까?",
    label: "휴지통 비우기",
    done: "휴지통을 비웠습니다.",
    text: "휴지통에 있는 모든 글이 없어지며 되살릴 수 없습니다.",
  },
};

export default function BoardBin({ loaderData }: Route.ComponentProps) {
  const { board, bin, keptDays } = loaderData;
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [act, setAct] = useState<Act | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const { revalidate } = useRevalidator();
  const all = bin.content.map((row) => row.itemNo);
  const picked = chosen.filter((itemNo) => all.includes(itemNo));
  const param = { boardCode: board.boardCode };
  const run = async () => {
    if (!act) return;
    setBusy(true);
    setError(null);
    try {
      await (act === "empty"
        ? call(api["board-item"].bin[":boardCode"].$delete({ param }))
        : call(api["board-item"][":boardCode"].bulk.$post({ param, json: { action: act, itemNos: [...picked] } })));
      toast(ACTS[act].done, "success");
      setAct(null);
      setChosen([]);
      await revalidate();
    } catch (thrown) {
      setError(thrown instanceof AppError ? thrown.message : ERRORS.INTERNAL_ERROR.message);
    } finally {
      setBusy(false);
    }
  };
  const ask = (next: Act) => {
    setError(null);
    setAct(next);
  };
  return (
    <>
      <PageHeader
        title="휴지통"
        description={
          keptDays === null
            ? "지운 글은 직접 비울 때까지 보관합니다."
            : `지운 글은 ${keptDays}일 동안 보관한 뒤 첨부파일과 함께 없어집니다.`
        }
        parents={[{ label: board.boardName, href: listPath(board.boardCode) }]}
      />
      <div className="container-page pt-8 pb-16 md:pt-10 md:pb-24">
        <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
          <p className="tabular text-gray-70">
            총 <strong className="text-primary-60">{formatCount(bin.totalElements)}</strong>건
          </p>
          <div className="flex flex-wrap gap-2">
            <Button size="sm" disabled={picked.length === 0} onClick={() => ask("restore")}>
              선택 복원
            </Button>
            <Button size="sm" variant="danger" disabled={picked.length === 0} onClick={() => ask("destroy")}>
              선택 영구 삭제
            </Button>
            <Button size="sm" variant="danger" disabled={bin.totalElements === 0} onClick={() => ask("empty")}>
              휴지통 비우기
            </Button>
          </div>
        </div>
        {bin.content.length === 0 ? (
          <Empty className="border-y border-gray-20">휴지통이 비어 있습니다.</Empty>
        ) : (
          <Table caption={`${board.boardName} 휴지통`} className="md:min-w-160">
            <thead>
              <tr>
                <Th className="w-14">
                  <Checkbox
                    label={<span className="sr-only">모두 고르기</span>}
                    checked={picked.length === all.length}
                    onChange={(event) => setChosen(event.target.checked ? all : [])}
                  />
                </Th>
                <Th>제목</Th>
                <Th className="max-md:hidden w-32">작성자</Th>
                <Th className="max-md:hidden w-36">지운 날</Th>
                <Th className="max-md:hidden w-36">없어지는 날</Th>
              </tr>
            </thead>
            <tbody>
              {bin.content.map((row) => (
                <tr key={row.itemNo}>
                  <Td>
                    <Checkbox
                      label={<span className="sr-only">{row.title} 고르기</span>}
                      checked={picked.includes(row.itemNo)}
                      onChange={(event) =>
                        setChosen(
                          event.target.checked ? [...picked, row.itemNo] : picked.filter((each) => each !== row.itemNo),
                        )
                      }
                    />
                  </Td>
                  <Td>
                    {row.title} <span className="text-sm text-gray-60">#{row.itemNo}</span>
                    <p className="text-sm text-gray-60 md:hidden">
                      {row.createdUserName} · <Time date={row.deletedDate} /> 지움
                      {row.purgeDate && (
                        <>
                          {" "}
                          · <Time date={row.purgeDate} /> 없어짐
                        </>
                      )}
                    </p>
                  </Td>
                  <Td>{row.createdUserName}</Td>
                  <Td>
                    <Time date={row.deletedDate} />
                  </Td>
                  <Td>{row.purgeDate ? <Time date={row.purgeDate} /> : "-"}</Td>
                </tr>
              ))}
            </tbody>
          </Table>
        )}
        <div className="mt-8">
          <Pager
            page={bin.page}
            totalPages={bin.totalPages}
            href={(number) => `/board/${board.boardCode}/Bin${number === 1 ? "" : `?page=${number}`}`}
          />
        </div>
        <ButtonLink to={listPath(board.boardCode)} size="sm" className="mt-6">
          목록
        </ButtonLink>
      </div>
      <ConfirmDialog
        open={act !== null}
        onClose={() => setAct(null)}
        title={act ? ACTS[act].title : ""}
        confirmLabel={act ? ACTS[act].label : ""}
        danger={act !== "restore"}
        busy={busy}
        error={error}
        onConfirm={run}
      >
        <p>{act ? ACTS[act].text : ""}</p>
        {act && act !== "empty" && <p className="mt-2">고른 글: {formatCount(picked.length)}건</p>}
      </ConfirmDialog>
    </>
  );
}
