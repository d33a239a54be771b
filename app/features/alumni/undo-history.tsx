import { type ReactNode, useState } from "react";
import { BusyProgress, type BusyState, progressOf } from "#app/features/alumni/import/progress.tsx";
import { alumniEntryPath } from "#app/features/alumni/list-choice.ts";
import {
  DEEDS_PATH,
  DEEDS_TITLE,
  isUndoneAtAll,
  UNDO_DEED,
  keptCount,
  undoneTitle,
  type UndoOutcome,
} from "#app/features/alumni/undo-deed.ts";
import { formatCount } from "#app/lib/format.ts";
import { useAction } from "#app/features/form/action.tsx";
import { Badge, TextLink, Time } from "#app/ui/inline.tsx";
import { Button } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { Table, TableHead, Td, Th } from "#app/ui/table.tsx";
import { type DeedFacts, type DeedKind, deedRule } from "#worker/contract/alumni/deeds.ts";
import { withParticle } from "#worker/contract/kernel/wording.ts";
import type { KeptRow } from "#worker/domain/alumni/deed/undo-rows.server.ts";

interface UndoableDeed extends DeedFacts {
  kind: DeedKind;
  id: string;
  createdDate: string;
  /** An undo was started and interrupted. */
  isBegun?: boolean;
  undoneDate?: string | null;
  undoable?: boolean;
}

interface UndoHistoryProps<D extends UndoableDeed> {
  title: string;
  deeds: readonly D[];
  headers: readonly string[];
  /** The first cell names the deed. */
  cells: (deed: D) => ReactNode[];
  /** Shown instead of the undo button. */
  fallback?: string;
  /** Shown without deeds. */
  emptyText?: string;
  /** Beside the title. */
  link?: ReactNode;
}

export function UndoHistory<D extends UndoableDeed>(props: UndoHistoryProps<D>) {
  const { title, deeds, headers, cells, fallback, emptyText, link } = props;
  const [undoing, setUndoing] = useState<D | null>(null);
  const [undone, setUndone] = useState<(UndoOutcome & { kind: DeedKind }) | null>(null);
  const [progress, setProgress] = useState<BusyState | null>(null);
  const { busy, problem, clear, run } = useAction();
  const undo = async () => {
    if (!undoing) return;
    const { kind, id } = undoing;
    const tell = progressOf("되돌리고 있습니다", performance.now());
    const work = async () =>
      setUndone({ kind, ...(await UNDO_DEED[kind](id, (percent) => setProgress(tell(percent)))) });
    if (await run(work, null)) setUndoing(null);
    setProgress(null);
  };
  const rule = undoing && deedRule(undoing.kind);
  if (deeds.length === 0 && !emptyText) return null;
  return (
    <section className="mt-14">
      <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 className="text-xl">{title}</h2>
        {link}
      </div>
      {undone && (
        <Alert
          tone={isUndoneAtAll(undone) ? "success" : "warning"}
          title={undoneTitle(undone.kind, undone)}
          className="mb-4"
        >
          {undone.text && <p>{undone.text}</p>}
          {undone.kept.length > 0 && <KeptList kept={undone.kept} />}
        </Alert>
      )}
      {deeds.length === 0 ? (
        <Empty className="border-y border-gray-20">{emptyText}</Empty>
      ) : (
        <Table caption={title} cards>
          <TableHead>
            {["일시", ...headers, "되돌리기"].map((head) => (
              <Th key={head}>{head}</Th>
            ))}
          </TableHead>
          <tbody>
            {deeds.map((deed) => (
              <tr key={deed.id}>
                <Td>
                  <Time date={deed.createdDate} format="datetime" />
                </Td>
                {cells(deed).map((cell, at) => (
                  <Td
                    key={headers[at]}
                    data-label={at === 0 ? undefined : headers[at]}
                    className={at === 0 ? "font-semibold text-gray-90" : undefined}
                  >
                    {cell}
                  </Td>
                ))}
                <Td>
                  {deed.undoneDate ? (
                    <Badge>되돌림</Badge>
                  ) : deed.undoable === false ? (
                    fallback && <span className="text-sm text-gray-60">{fallback}</span>
                  ) : (
                    <Button
                      size="sm"
                      className="needs-script"
                      onClick={() => {
                        clear();
                        setUndoing(deed);
                      }}
                    >
                      {deed.isBegun ? "이어서 되돌리기" : "되돌리기"}
                    </Button>
                  )}
                </Td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <ConfirmDialog
        open={undoing !== null}
        onClose={() => setUndoing(null)}
        title={undoing ? `${withParticle(deedRule(undoing.kind).label, "을/를")} 되돌리시겠습니까?` : ""}
        confirmLabel="되돌리기"
        danger={rule?.danger}
        busy={busy}
        error={problem}
        onConfirm={undo}
      >
        <p>
          {undoing && rule?.undoes(undoing)} {rule?.leaves}
        </p>
        {progress && (
          <>
            <BusyProgress busy={progress} className="mt-4" />
            <p className="mt-2 text-sm text-gray-60">
              화면을 떠나셔도 여기까지 되돌린 것은 그대로이고, 이 기록에서 이어서 되돌릴 수 있습니다.
            </p>
          </>
        )}
      </ConfirmDialog>
    </section>
  );
}

const NAMES_SHOWN = 10;

const KEPT_PATHS: Record<KeptRow["kind"], (kept: KeptRow) => string> = {
  person: alumniEntryPath,
  deleted: () => "/Alumni/Bin",
  deposit: ({ name }) => `/Admin/Deposits?${new URLSearchParams({ state: "all", payer: name })}`,
};

export const ALL_DEEDS_LINK = <TextLink to={DEEDS_PATH}>{DEEDS_TITLE} 모두 보기</TextLink>;

/** Names each row that an undo left, with the reason and a link. */
function KeptList({ kept }: { kept: readonly KeptRow[] }) {
  const more = kept.length - NAMES_SHOWN;
  return (
    <>
      <p>{keptCount(kept)}은 그대로 두었습니다. 아래 이유를 해결하신 뒤에 다시 되돌리시면 남은 것도 되돌립니다.</p>
      <ul className="mt-2 list-disc pl-5">
        {kept.slice(0, NAMES_SHOWN).map((row) => (
          <li key={row.id}>
            <TextLink to={KEPT_PATHS[row.kind](row)}>{row.name || "이름 없는 입금"}</TextLink>: {row.reason}
          </li>
        ))}
        {more > 0 && <li>그 밖에 {formatCount(more)}건</li>}
      </ul>
    </>
  );
}
