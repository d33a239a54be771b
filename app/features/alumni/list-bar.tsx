import { useWords } from "#app/lib/page-language.ts";
import { Link } from "react-router";
import { type AlumniListChoice, alumniListPath, hiddenAlumniFields } from "#app/features/alumni/list-choice.ts";
import { formatCount } from "#app/lib/format.ts";
import { PageSizes } from "#app/ui/pager.tsx";
import { cx } from "#app/ui/cx.ts";
import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import GripVertical from "lucide-react/icons/grip-vertical";
import { useRef, useState } from "react";
import { ColumnsMenu } from "#app/features/list/columns-menu.tsx";
import { ButtonLink, IconButton } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { useColumnLabel } from "#app/features/alumni/column-label.tsx";
import { bookFields } from "#worker/contract/alumni/alumni-settings.ts";
import type { AlumniFieldCode } from "#worker/contract/alumni/own-fields.ts";
import ChartColumn from "lucide-react/icons/chart-column";
import Printer from "lucide-react/icons/printer";
import ReceiptText from "lucide-react/icons/receipt-text";
import Stamp from "lucide-react/icons/stamp";
import type { HandedSegment } from "#app/features/alumni/segment-state.ts";
import type { AlumniListPage } from "#worker/domain/alumni/list.server.ts";

const SIZES = [20, 50, 100];

export function AlumniListBar({
  people,
  choice,
  can,
}: Pick<AlumniListPage, "people" | "can"> & { choice: AlumniListChoice }) {
  const say = useWords();
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
      <p className="tabular text-gray-70" role="status">
        총 <strong className="text-primary-60">{formatCount(people.totalElements)}</strong>명
        <span aria-hidden="true" className="text-gray-40">
          {" · "}
        </span>
        {formatCount(people.page)}/{formatCount(people.totalPages)} 페이지
      </p>
      <div className="flex items-center gap-2">
        <PageSizes
          sizes={can.write ? SIZES : SIZES.slice(0, 2)}
          current={people.size}
          href={(size) => alumniListPath(choice, { size: String(size), page: "1" })}
          label={say("한 페이지에 볼 {동문} 수")}
          each="명씩 보기"
        />
        <Link
          to={alumniListPath(choice, { density: choice.density === "dense" ? "" : "dense" })}
          aria-current={choice.density === "dense" ? "true" : undefined}
          preventScrollReset
          className={cx(
            "hidden min-h-11 items-center rounded-md px-2.5 text-sm md:inline-flex",
            choice.density === "dense" ? "font-bold text-primary-60" : "text-gray-60 hover:text-primary-60",
          )}
        >
          좁게 보기
        </Link>
        <AlumniColumnChooser key={choice.columns.join()} choice={choice} />
      </div>
    </div>
  );
}

/** The order of its inputs is the column order. */
function AlumniColumnChooser({ choice }: { choice: AlumniListChoice }) {
  const labelOf = useColumnLabel();
  const fields: AlumniFieldCode[] = bookFields(choice.view).filter((field) => field !== "name");
  const [order, setOrder] = useState<readonly AlumniFieldCode[]>(() => [
    ...choice.columns.filter((field) => fields.includes(field)),
    ...fields.filter((field) => !choice.columns.includes(field)),
  ]);
  const [dragged, setDragged] = useState<AlumniFieldCode | null>(null);
  const [said, setSaid] = useState("");
  const list = useRef<HTMLUListElement>(null);
  const move = (field: AlumniFieldCode, to: number) => {
    if (to < 0 || to >= order.length || order[to] === field) return;
    const others = order.filter((each) => each !== field);
    setOrder([...others.slice(0, to), field, ...others.slice(to)]);
    setSaid(`${labelOf(field)}: ${to + 1}번째`);
  };
  const step = (field: AlumniFieldCode, at: number, by: -1 | 1) => {
    move(field, at + by);
    // Browsers drop the focus of a moved button. At either end the other arrow takes it.
    requestAnimationFrame(() => {
      const row = list.current?.querySelector(`[data-field=${field}]`);
      const arrows = [...(row?.querySelectorAll<HTMLButtonElement>("button") ?? [])];
      const wanted = arrows[by === -1 ? 0 : 1];
      (wanted?.disabled ? arrows.find((arrow) => !arrow.disabled) : wanted)?.focus();
    });
  };
  return (
    <ColumnsMenu path="/Alumni" kept={hiddenAlumniFields(choice, ["columns"])} className="hidden md:block">
      <input type="hidden" name="columns" value="name" />
      <p className="needs-script text-sm text-gray-60">화살표나 끌기로 차례를 바꿉니다. 이름은 늘 맨 앞입니다.</p>
      <ul ref={list}>
        {order.map((field, at) => (
          <li
            key={field}
            data-field={field}
            draggable
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = "move";
              event.dataTransfer.setData("text/plain", field);
              setDragged(field);
            }}
            onDragOver={(event) => {
              if (dragged === null) return;
              event.preventDefault();
              move(dragged, at);
            }}
            onDrop={(event) => event.preventDefault()}
            onDragEnd={() => setDragged(null)}
            className={cx("flex items-center gap-1 rounded-md", dragged === field && "bg-primary-5")}
          >
            <GripVertical aria-hidden="true" className="needs-script size-4.5 shrink-0 cursor-grab text-gray-50" />
            <Checkbox
              name="columns"
              value={field}
              label={labelOf(field)}
              defaultChecked={choice.columns.includes(field)}
              className="mr-auto"
            />
            <IconButton
              label={`${labelOf(field)} 앞으로`}
              disabled={at === 0}
              onClick={() => step(field, at, -1)}
              className="needs-script size-9 disabled:text-gray-30"
            >
              <ArrowUp aria-hidden="true" className="size-4.5" />
            </IconButton>
            <IconButton
              label={`${labelOf(field)} 뒤로`}
              disabled={at === order.length - 1}
              onClick={() => step(field, at, 1)}
              className="needs-script size-9 disabled:text-gray-30"
            >
              <ArrowDown aria-hidden="true" className="size-4.5" />
            </IconButton>
          </li>
        ))}
      </ul>
      <p role="status" className="sr-only">
        {said}
      </p>
    </ColumnsMenu>
  );
}

interface SegmentLinksProps extends Pick<AlumniListPage, "can"> {
  handed: HandedSegment;
}

export function PaperLinks({ handed, can }: SegmentLinksProps) {
  return (
    <>
      {can.export && (
        <ButtonLink size="sm" className="needs-script" to="/Alumni/Print" state={handed}>
          <Printer aria-hidden="true" className="size-4.5" />
          인쇄
        </ButtonLink>
      )}
      {can.mail && (
        <ButtonLink size="sm" className="needs-script" to="/Admin/AlumniFigures" state={handed}>
          <ChartColumn aria-hidden="true" className="size-4.5" />
          통계
        </ButtonLink>
      )}
    </>
  );
}

export function IssueLinks({ handed, can }: SegmentLinksProps) {
  return (
    <>
      {can.certify && (
        <ButtonLink size="sm" className="needs-script" to="/Admin/Certificates" state={handed}>
          <Stamp aria-hidden="true" className="size-4.5" />
          증명서
        </ButtonLink>
      )}
      {can.charge && (
        <ButtonLink size="sm" className="needs-script" to="/Admin/Dues" state={handed}>
          <ReceiptText aria-hidden="true" className="size-4.5" />
          회비 청구
        </ButtonLink>
      )}
    </>
  );
}
