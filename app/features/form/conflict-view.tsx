import { type ReactNode, useEffect, useRef } from "react";
import type { ConflictSide, FormConflict } from "#app/features/form/use-conflict.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { Fieldset, Radio } from "#app/ui/choice.tsx";
import { Dialog } from "#app/ui/dialog.tsx";

const TEXTS = {
  내용: { title: "내용이", mine: "적으신 내용", stored: "저장된 내용", save: "내 내용으로 저장" },
  글: { title: "글이", mine: "내가 쓴 글", stored: "저장된 글", save: "내 글로 저장" },
  메뉴: { title: "메뉴가", mine: "고치신 메뉴", stored: "저장된 메뉴", save: "내 메뉴로 저장" },
} as const;
export type ConflictNoun = keyof typeof TEXTS;

interface ConflictRow {
  label: string;
  mine: ReactNode;
  stored: ReactNode;
  isLong?: boolean;
}

function ConflictRows({ rows, noun }: { rows: readonly ConflictRow[]; noun: ConflictNoun }) {
  const names = TEXTS[noun];
  const side = (name: string, value: ReactNode, { label, isLong }: ConflictRow) => (
    <dd className="min-w-0">
      <span className="block text-sm text-primary-60">{name}</span>
      <div
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard
        {...(isLong ? { tabIndex: 0, role: "region", "aria-label": `${name}: ${label}` } : {})}
        className={isLong ? "max-h-[45dvh] overflow-y-auto" : "whitespace-pre-line"}
      >
        {value === "" ? <span className="text-gray-60">없음</span> : value}
      </div>
    </dd>
  );
  return (
    <dl className="grid gap-4 rounded-md bg-white p-4 text-gray-80">
      {rows.map((row) => (
        <div key={row.label} className="grid gap-x-4 gap-y-2 md:grid-cols-2">
          <dt className="font-semibold md:col-span-2">{row.label}</dt>
          {side(names.mine, row.mine, row)}
          {side(names.stored, row.stored, row)}
        </div>
      ))}
    </dl>
  );
}

interface ChosenRowsProps {
  rows: NonNullable<FormConflict>["rows"];
  noun: ConflictNoun;
  onChoose: (label: string, side: ConflictSide) => void;
}

function ChosenRows({ rows, noun, onChoose }: ChosenRowsProps) {
  const names = TEXTS[noun];
  return (
    <div className="grid gap-4 rounded-md bg-white p-4 text-gray-80">
      {rows.map((row) => (
        <Fieldset key={row.label} legend={row.label}>
          <div className="grid gap-x-4 md:grid-cols-2">
            {(["mine", "stored"] as const).map((side) => (
              <Radio
                key={side}
                name={`conflict ${row.label}`}
                checked={row.side === side}
                onChange={() => onChoose(row.label, side)}
                label={
                  <>
                    <span className="block text-sm text-primary-60">{names[side]}</span>
                    <span className="whitespace-pre-line">
                      {row[side] || <span className="text-gray-60">없음</span>}
                    </span>
                  </>
                }
              />
            ))}
          </div>
        </Fieldset>
      ))}
    </div>
  );
}

interface ConflictAlertProps {
  conflict: FormConflict;
  noun?: ConflictNoun;
  busy: boolean;
  onTake: () => void;
  /** Enables a choice per field; the form then sends what `isMine` returns. */
  onChoose?: (label: string, side: ConflictSide) => void;
  className?: string;
}

export function ConflictAlert({ conflict, noun = "내용", busy, onTake, onChoose, className }: ConflictAlertProps) {
  const frame = useRef<HTMLDivElement>(null);
  const isShown = conflict !== null;
  useEffect(() => {
    if (isShown) frame.current?.scrollIntoView({ block: "nearest" });
  }, [isShown]);
  if (!conflict) return null;
  const { rows, merged, isDecided } = conflict;
  const names = TEXTS[noun];
  return (
    <div ref={frame} className={className}>
      <Alert tone="warning" title={`그사이 다른 곳에서 ${names.title} 바뀌었습니다. 적으신 내용은 그대로 있습니다.`}>
        {merged.length > 0 && <p className="mt-2">새로 불러온 항목: {merged.join(", ")}</p>}
        {rows.length > 0 && (
          <div className="mt-3">
            {onChoose ? (
              <ChosenRows rows={rows} noun={noun} onChoose={onChoose} />
            ) : (
              <ConflictRows rows={rows} noun={noun} />
            )}
          </div>
        )}
        {isDecided ? (
          <p className="mt-2">확인한 뒤 다시 저장해 주십시오.</p>
        ) : (
          <div className="mt-4 flex flex-wrap gap-2">
            <Button type="submit" size="sm" variant="primary" busy={busy} data-overwrites>
              {onChoose ? "고른 대로 저장" : names.save}
            </Button>
            <Button size="sm" disabled={busy} onClick={onTake}>
              {names.stored} 불러오기
            </Button>
          </div>
        )}
      </Alert>
    </div>
  );
}

interface ConflictDialogProps {
  noun: ConflictNoun;
  rows: readonly ConflictRow[];
  description: ReactNode;
  busy: boolean;
  /** Closes without a decision. */
  onClose: () => void;
  onTakeMine: () => void;
  onTakeStored: () => void;
  children?: ReactNode;
}

export function ConflictDialog(props: ConflictDialogProps) {
  const { noun, rows, description, busy, onClose, onTakeMine, onTakeStored, children } = props;
  const names = TEXTS[noun];
  return (
    <Dialog
      open
      onClose={onClose}
      title={`그사이 다른 곳에서 ${names.title} 바뀌었습니다`}
      size="lg"
      locked={busy}
      footer={
        <div className="flex flex-wrap justify-end gap-2">
          {children}
          <Button size="sm" onClick={onTakeStored} disabled={busy}>
            {names.stored} 불러오기
          </Button>
          <Button size="sm" variant="primary" busy={busy} onClick={onTakeMine}>
            {names.save}
          </Button>
        </div>
      }
    >
      <div className="mb-4 text-gray-70">{description}</div>
      <ConflictRows rows={rows} noun={noun} />
    </Dialog>
  );
}
