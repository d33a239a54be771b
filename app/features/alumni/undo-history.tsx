import { type ReactNode, useState } from "react";
import { BusyProgress, type BusyState, progressOf } from "#app/features/alumni/import/progress.tsx";
import { formatCount } from "#app/lib/format.ts";
import { useAction } from "#app/features/form/action.tsx";
import { Badge, Time } from "#app/ui/inline.tsx";
import { Button } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { Table, TableHead, Td, Th } from "#app/ui/table.tsx";

interface UndoableEntry {
  createdDate: string;
  undoneDate: string | null;
}
interface UndoOutcome {
  text: string;
  /** People edited since, who were left unchanged. */
  kept: readonly { name: string }[];
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
          <p>
            {undone.text}
            {undone.kept.length > 0 && ` 그 뒤에 기록이 달라진 ${namesOf(undone.kept)}은 그대로 두었습니다.`}
          </p>
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
        <p>{undoing && text(undoing)} 그 뒤에 손으로 고친 사람은 그대로 둡니다.</p>
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

/** 김하나, 박두리님, or 김하나, …님 외 4,990명. */
function namesOf(people: readonly { name: string }[]): string {
  const names = people.slice(0, NAMES_SHOWN).map(({ name }) => name);
  const more = people.length - names.length;
  return `${names.join(", ")}님${more > 0 ? ` 외 ${formatPeopleCount(more)}` : ""}`;
}

export const formatPeopleCount = (count: number) => `${formatCount(count)}명`;
