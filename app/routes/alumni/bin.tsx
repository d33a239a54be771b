import { useState } from "react";
import { useRevalidator } from "react-router";
import { useAct } from "#app/features/alumni/use-act.ts";
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
import { alumniBinQuery } from "#worker/contract/alumni.ts";
import { parse } from "#worker/contract/parse.ts";
import { listAlumniBin } from "#worker/domain/alumni/bin.server.ts";
import type { Route } from "./+types/bin";

export const loader = page(async (door, { request }: Route.LoaderArgs) =>
  listAlumniBin(door, parse(alumniBinQuery, Object.fromEntries(new URL(request.url).searchParams))),
);

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ matches, title: "동문 휴지통" });
}

type Act = "restore" | "destroy";

export default function AlumniBin({ loaderData: bin }: Route.ComponentProps) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [asked, setAsked] = useState<Act | null>(null);
  const { busy, error, setError, act } = useAct();
  const { revalidate } = useRevalidator();
  const all = bin.content.map((row) => row.id);
  const picked = chosen.filter((id) => all.includes(id));
  const run = () =>
    act(async () => {
      const json = { ids: [...picked] };
      if (asked === "restore") {
        const { restored } = await call(api.alumni["restore-data"].$post({ json }));
        toast(`${formatCount(restored)}명을 주소록으로 되돌렸습니다.`, "success");
      } else {
        const { destroyed } = await call(api.alumni["destroy-data"].$post({ json }));
        toast(`${formatCount(destroyed)}명을 영구 삭제하였습니다.`, "success");
      }
      setAsked(null);
      setChosen([]);
      await revalidate();
    });
  const ask = (next: Act) => {
    setError(null);
    setAsked(next);
  };
  return (
    <>
      <PageHeader
        title="동문 휴지통"
        description={
          bin.binDays === null
            ? "지운 동문은 영구 삭제할 때까지 여기에 남아 있습니다."
            : `지운 동문은 ${bin.binDays}일 동안 보관한 뒤 완전히 지워집니다.`
        }
        parents={[{ label: "동문주소록", href: "/Alumni" }]}
      />
      <div className="container-page pt-8 pb-16 md:pt-10 md:pb-24">
        <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
          <p className="tabular text-gray-70" role="status">
            총 <strong className="text-primary-60">{formatCount(bin.totalElements)}</strong>명
            {picked.length > 0 && ` · ${formatCount(picked.length)}명 선택`}
          </p>
          <div className="needs-script flex flex-wrap gap-2">
            <Button size="sm" disabled={picked.length === 0} onClick={() => ask("restore")}>
              선택 복원
            </Button>
            <Button size="sm" variant="danger" disabled={picked.length === 0} onClick={() => ask("destroy")}>
              선택 영구 삭제
            </Button>
          </div>
        </div>
        {bin.content.length === 0 ? (
          <Empty className="border-y border-gray-20">휴지통이 비어 있습니다.</Empty>
        ) : (
          <Table caption="동문 휴지통" className="min-w-160">
            <thead>
              <tr>
                <Th className="w-14">
                  <Checkbox
                    label={<span className="sr-only">모두 고르기</span>}
                    checked={picked.length === all.length}
                    onChange={(event) => setChosen(event.target.checked ? all : [])}
                  />
                </Th>
                <Th>이름</Th>
                <Th>소속</Th>
                <Th className="w-36">지운 날</Th>
                <Th className="w-36">없어지는 날</Th>
              </tr>
            </thead>
            <tbody>
              {bin.content.map((row) => (
                <tr key={row.id}>
                  <Td>
                    <Checkbox
                      label={<span className="sr-only">{row.name} 고르기</span>}
                      checked={picked.includes(row.id)}
                      onChange={(event) =>
                        setChosen(event.target.checked ? [...picked, row.id] : picked.filter((id) => id !== row.id))
                      }
                    />
                  </Td>
                  <Td>
                    <span className="font-semibold text-gray-90">{row.name}</span>
                    {row.cohort !== null && <span className="ml-2 text-sm text-gray-60">{row.cohort}기</span>}
                    {row.mergedInto && (
                      <span className="block text-sm text-gray-60">‘{row.mergedInto.name}’ 님에 합쳐졌습니다.</span>
                    )}
                  </Td>
                  <Td>{row.affiliation}</Td>
                  <Td>
                    <Time date={row.deletedDate} />
                  </Td>
                  <Td>{row.purgeDate ? <Time date={row.purgeDate} /> : "정하지 않음"}</Td>
                </tr>
              ))}
            </tbody>
          </Table>
        )}
        <div className="mt-8">
          <Pager
            page={bin.page}
            totalPages={bin.totalPages}
            href={(number) => `/Alumni/Bin${number === 1 ? "" : `?page=${number}`}`}
          />
        </div>
        <ButtonLink to="/Alumni" size="sm" className="mt-6">
          동문주소록
        </ButtonLink>
      </div>
      <ConfirmDialog
        open={asked !== null}
        onClose={() => setAsked(null)}
        title={
          asked === "restore"
            ? `동문 ${formatCount(picked.length)}명을 복원하시겠습니까?`
            : `동문 ${formatCount(picked.length)}명을 영구 삭제하시겠습니까?`
        }
        confirmLabel={
          asked === "restore" ? `${formatCount(picked.length)}명 복원` : `${formatCount(picked.length)}명 영구 삭제`
        }
        danger={asked === "destroy"}
        busy={busy}
        error={error}
        onConfirm={run}
      >
        <p>
          {asked === "restore"
            ? "고른 동문이 주소록으로 돌아갑니다."
            : "고른 동문의 정보가 모두 없어지며 되살릴 수 없습니다."}
        </p>
      </ConfirmDialog>
    </>
  );
}
