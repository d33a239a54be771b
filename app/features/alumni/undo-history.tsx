import { type ReactNode, useState } from "react";
import { BusyProgress, type BusyState, progressOf } from "#app/features/alumni/import/progress.tsx";
import { alumniEntryPath } from "#app/features/alumni/list-choice.ts";
import { formatCount } from "#app/lib/format.ts";
import { useAction } from "#app/features/form/action.tsx";
import { Badge, TextLink, Time } from "#app/ui/inline.tsx";
import { Button } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { Table, TableHead, Td, Th } from "#app/ui/table.tsx";
import type { KeptRow } from "#worker/domain/alumni/deed/undo-rows.server.ts";

interface UndoableEntry {
  createdDate: string;
  undoneDate: string | null;
}
interface UndoOutcome {
  text: string;
  /** People and deposits changed since, which were left unchanged. */
  kept: readonly KeptRow[];
}

/** @param percent of the long-running work */
type UndoProgress = (percent: number) => void;

interface UndoHistoryProps<E extends UndoableEntry> {
  title: string;
  entries: readonly E[];
  keyOf: (entry: E) => string;
  headers: readonly string[];
  /** The first cell names the entry. */
  cells: (entry: E) => string[];
  /** Returns false to show `fallback` instead of the undo button. */
  canUndo: (entry: E) => boolean;
  fallback?: ReactNode;
  question: string;
  text: (entry: E) => string;
  /** Says which later changes the undo leaves. */
  leaves: string;
  danger?: boolean;
  undo: (entry: E, onProgress: UndoProgress) => Promise<UndoOutcome>;
  /** True if an undo was started and interrupted. */
  isBegun?: (entry: E) => boolean;
  done: string;
}

export function UndoHistory<E extends UndoableEntry>(props: UndoHistoryProps<E>) {
  const { title, entries, keyOf, headers, cells, canUndo, fallback, question, text, danger, done } = props;
  const [undoing, setUndoing] = useState<E | null>(null);
  const [undone, setUndone] = useState<UndoOutcome | null>(null);
  const [progress, setProgress] = useState<BusyState | null>(null);
  const { busy, problem, clear, run } = useAction();
  const undo = async () => {
    if (!undoing) return;
    const tell = progressOf("되돌리고 있습니다", performance.now());
    const work = async () => setUndone(await props.undo(undoing, (percent) => setProgress(tell(percent))));
    if (await run(work, null)) setUndoing(null);
    setProgress(null);
  };
  if (entries.length === 0) return null;
  return (
    <section className="mt-14">
      <h2 className="mb-4 text-xl">{title}</h2>
      {undone && (
        <Alert tone="success" title={done} className="mb-4">
          {undone.text && <p>{undone.text}</p>}
          {undone.kept.length > 0 && <KeptList kept={undone.kept} />}
        </Alert>
      )}
      <Table caption={title} cards>
        <TableHead>
          {["일시", ...headers, "되돌리기"].map((head) => (
            <Th key={head}>{head}</Th>
          ))}
        </TableHead>
        <tbody>
          {entries.map((entry) => (
            <tr key={keyOf(entry)}>
              <Td>
                <Time date={entry.createdDate} format="datetime" />
              </Td>
              {cells(entry).map((cell, at) => (
                <Td
                  key={headers[at]}
                  data-label={at === 0 ? undefined : headers[at]}
                  className={at === 0 ? "font-semibold text-gray-90" : undefined}
                >
                  {cell}
                </Td>
              ))}
              <Td>
                {entry.undoneDate ? (
                  <Badge>되돌림</Badge>
                ) : canUndo(entry) ? (
                  <Button
                    size="sm"
                    className="needs-script"
                    onClick={() => {
                      clear();
                      setUndoing(entry);
                    }}
                  >
                    {props.isBegun?.(entry) ? "이어서 되돌리기" : "되돌리기"}
                  </Button>
                ) : (
                  fallback
                )}
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
      <ConfirmDialog
        open={undoing !== null}
        onClose={() => setUndoing(null)}
        title={question}
        confirmLabel="되돌리기"
        danger={danger}
        busy={busy}
        error={problem}
        onConfirm={undo}
      >
        <p>
          {undoing && text(undoing)} {props.leaves}
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

/** Names each row that an undo left, with the reason and a link. */
function KeptList({ kept }: { kept: readonly KeptRow[] }) {
  const more = kept.length - NAMES_SHOWN;
  return (
    <>
      <p>
        {formatCount(kept.length)}건은 그대로 두었습니다. 아래 이유를 해결하신 뒤에 다시 되돌리시면 남은 것도
        되돌립니다.
      </p>
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

export const formatPeopleCount = (count: number) => `${formatCount(count)}명`;
