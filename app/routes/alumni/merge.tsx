import { useWords } from "#app/lib/page-language.ts";
import { AlumniPageHeader } from "#app/features/alumni/alumni-page-header.tsx";
import { OwnFieldsProvider, useColumnLabel } from "#app/features/alumni/column-label.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { mergeAlumniQuery } from "#worker/contract/alumni/input.ts";
import { parseInput } from "#worker/contract/kernel/parse-input.ts";
import { getMergePage, type MergePage } from "#worker/domain/alumni/merge.server.ts";
import type { Route } from "./+types/merge";
import { useState } from "react";
import { useNavigate } from "react-router";
import { dropFromSelection } from "#app/features/alumni/selection-store.ts";
import { undoAndTell, undoUntilText } from "#app/features/alumni/undo-deed.ts";
import { showUndoToast } from "#app/features/alumni/undo-toast.tsx";
import { useAction } from "#app/features/form/action.tsx";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { Badge, Time } from "#app/ui/inline.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { RadioGroup } from "#app/ui/choice.tsx";
import { cx } from "#app/ui/cx.ts";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { formatWon } from "#worker/contract/alumni/dues/dues.ts";
import { ALUMNI_FIELDS } from "#worker/contract/alumni/columns.ts";
import { type AlumniFieldCode, bookText, type OwnField } from "#worker/contract/alumni/own-fields.ts";
import {
  defaultKeptId,
  defaultMergeSource,
  isMemoTooLong,
  mergeOpenFields,
  mergeOwnValues,
  type MergeSource,
  mergeValues,
  uniqueMemos,
} from "#worker/contract/alumni/duplicate.ts";
import { particleOf } from "#worker/contract/kernel/wording.ts";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const search = new URL(request.url).searchParams;
  const { ids } = parseInput(mergeAlumniQuery, { ids: search.get("ids") ?? "" });
  const back = search.get("back") ?? "";
  return {
    ...(await getMergePage(await scope.context(), ids)),
    back: /^\/alumni([/?]|$)/i.test(back) ? back : "/Alumni/Duplicates",
  };
});

export const meta = titledMeta("{동문} 합치기");

export default function AlumniMerge({ loaderData }: Route.ComponentProps) {
  const say = useWords();
  const { people, own, ...given } = loaderData;
  return (
    <OwnFieldsProvider own={own}>
      <AlumniPageHeader
        title="{동문} 합치기"
        parent={{ label: say("중복 의심 {동문}"), href: "/Alumni/Duplicates" }}
        description="다른 항목마다 남길 값을 골라 주십시오. 처음에는 더 나중에 고친 값이 골라져 있습니다."
      />
      <div className="container-page container-reading pt-6 pb-16 md:pt-8 md:pb-24">
        <AlumniMergeForm
          key={people.map((person) => `${person.id}${person.version}`).join()}
          {...{ people, own, ...given }}
        />
      </div>
    </OwnFieldsProvider>
  );
}

const personLabel = (at: number) => String.fromCharCode(65 + at);
const COLUMNS: Record<number, string> = {
  2: "md:grid-cols-[5.5rem_repeat(2,minmax(0,1fr))_minmax(0,1fr)]",
  3: "md:grid-cols-[5.5rem_repeat(3,minmax(0,1fr))_minmax(0,1fr)]",
  4: "md:grid-cols-[5.5rem_repeat(4,minmax(0,1fr))_minmax(0,1fr)]",
  5: "md:grid-cols-[5.5rem_repeat(5,minmax(0,1fr))_minmax(0,1fr)]",
};

function AlumniMergeForm({ people, dueCounts, joinedDues, undoDays, own, back }: MergePage & { back: string }) {
  const say = useWords();
  const labelOf = useColumnLabel();
  const [source, setSource] = useState<MergeSource>(() => defaultMergeSource(people));
  const [keepId, setKeepId] = useState(() => defaultKeptId(people));
  const { busy, problem, run } = useAction({ reloads: "never" });
  const navigate = useNavigate();
  const values = mergeValues(people, source);
  const merged = { ...values, own: mergeOwnValues(people, source) };
  const fields: AlumniFieldCode[] = [...ALUMNI_FIELDS, ...own.map(({ code }: OwnField) => code)];
  const open = mergeOpenFields(people);
  const linked = people.find((person) => person.linked);
  const tooLong = isMemoTooLong(values);
  const merge = () =>
    run(async () => {
      const versions = people.map(({ id, version }) => ({ id, version }));
      const { mergeId } = await callApi(
        api.alumni.merge.$post({ json: { keepId, people: versions, source }, header: ONCE }),
      );
      showUndoToast({
        text: `${people.length}명을 하나로 합쳤습니다. ${undoUntilText(undoDays)}`,
        undo: () => undoAndTell("merge", mergeId),
        reload: () => navigate(back, { replace: true }),
      });
      dropFromSelection(people.map(({ id }) => id));
      await navigate(back);
    }, null);
  const grid = cx("grid gap-x-4 gap-y-1 py-3", COLUMNS[people.length]);
  return (
    <>
      <div className={cx(grid, "hidden border-t-2 border-primary-80 bg-gray-5 px-3 text-sm font-semibold md:grid")}>
        <span>항목</span>
        {people.map((person, at) => (
          <span key={person.id}>
            {personLabel(at)} <span className="font-normal text-gray-60">{modifiedBy(person)}</span>
          </span>
        ))}
        <span className="text-primary-70">합친 뒤</span>
      </div>
      <ul className="mb-4 grid gap-1 text-sm text-gray-70 md:hidden">
        {people.map((person, at) => (
          <li key={person.id}>
            <strong>{personLabel(at)}</strong> {modifiedBy(person)}
          </li>
        ))}
      </ul>
      <div className="divide-y divide-gray-20 border-y border-gray-20">
        {fields
          .filter((field) => people.some((person) => bookText(person, field) !== ""))
          .map((field) => (
            <FieldChoice
              key={field}
              field={field}
              people={people}
              source={source}
              locked={field === "refuses" || (field === "email" && linked !== undefined)}
              result={bookText(merged, field)}
              className={cx(grid, "px-3")}
              onChoose={(id) => setSource({ ...source, [field]: id })}
            />
          ))}
      </div>
      <div className="mt-6 grid gap-5 rounded-xl border border-gray-20 bg-gray-5 p-5">
        <RadioGroup
          legend={say("남길 {동문}")}
          hint={say("고른 {동문}의 ID가 남고, 다른 {동문:은/는} 휴지통으로 갑니다.")}
          name="keepId"
          options={people.map((person, at) => ({
            value: person.id,
            label: `${personLabel(at)} ${person.name}${person.linked ? " (회원)" : ""}`,
          }))}
          value={keepId}
          onChange={setKeepId}
        />
        <p className="text-gray-70">
          다른 회원에게 공개:{" "}
          <strong className="text-gray-90">
            {open.length === 0 ? "없음" : open.map((field) => labelOf(field)).join(", ")}
          </strong>
          <span className="block text-sm text-gray-60">어느 한쪽이라도 가린 항목은 합친 뒤에도 가려집니다.</span>
        </p>
        <MergedDues
          moved={people.reduce((sum, { id }) => sum + (id === keepId ? 0 : (dueCounts[id] ?? 0)), 0)}
          joined={joinedDues}
        />
        {linked && (
          <p className="text-gray-70">
            회원이 로그인하는 이메일 <strong>{linked.email}</strong>
            {particleOf(linked.email, "은/는")} 그대로 남습니다.
          </p>
        )}
        {tooLong && <p className="font-medium text-danger-60">합친 메모가 너무 깁니다. 한쪽의 메모를 골라 주십시오.</p>}
        <ErrorAlert>{problem}</ErrorAlert>
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" busy={busy} disabled={tooLong} onClick={merge} className="needs-script">
            {people.length}명을 하나로 합치기
          </Button>
          <ButtonLink to={back}>그만두기</ButtonLink>
        </div>
        <p className="text-sm text-gray-60">합친 뒤에도 {undoDays}일 동안 되돌릴 수 있습니다.</p>
      </div>
    </>
  );
}

/** @param joined null for callers who may not see amounts */
function MergedDues({ moved, joined }: { moved: number; joined: MergePage["joinedDues"] }) {
  if (moved === 0) return null;
  return (
    <div className="text-gray-70">
      <p>회비 {formatCount(moved)}건이 옮겨집니다.</p>
      {joined && (
        <ul className="tabular mt-1 list-disc pl-5">
          {joined.map(({ period, kindId, kindName, amount, paid, isExempt, count, open }) => (
            <li key={`${period} ${kindId}`}>
              {period} {kindName}
              {count > 1 && ` ${formatCount(count)}건이 하나로`}:{" "}
              {isExempt ? "면제" : `청구 ${formatWon(amount)}, 낸 금액 ${formatWon(paid)}`}
              {open > 0 && `, 남는 ${formatWon(open)}은 입금에 다시 열어 둡니다`}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const modifiedBy = (person: MergePage["people"][number]) => (
  <>
    <Time date={person.modifiedDate} format="datetime" /> 수정 {person.linked && <Badge tone="primary">회원</Badge>}
  </>
);

interface FieldChoiceProps {
  field: AlumniFieldCode;
  people: MergePage["people"];
  source: MergeSource;
  locked: boolean;
  result: string;
  className: string;
  onChoose: (id: string) => void;
}

function FieldChoice({ field, people, source, locked, result, className, onChoose }: FieldChoiceProps) {
  const labelOf = useColumnLabel();
  const texts = people.map((person) => bookText(person, field));
  const same = texts.every((text) => text === texts[0]);
  const label = labelOf(field);
  const both = field === "memo" && uniqueMemos(people).length > 1;
  return (
    <fieldset className={cx(className, !same && "bg-warning-5")}>
      <legend className="sr-only">{label}</legend>
      <span aria-hidden="true" className="pt-1.5 text-sm font-semibold text-gray-70">
        {label}
      </span>
      {people.map((person, at) =>
        same ? (
          <span key={person.id} className="hidden min-w-0 pt-1 text-gray-70 md:block">
            {texts[at]}
          </span>
        ) : (
          <label
            key={person.id}
            className="flex min-h-9 cursor-pointer items-start gap-2 pt-1 has-disabled:cursor-default"
          >
            <input
              type="radio"
              name={`from-${field}`}
              checked={source[field] === person.id}
              disabled={locked}
              onChange={() => onChoose(person.id)}
              className="mt-[0.2em] size-5 shrink-0 accent-primary-60"
            />
            <span className="min-w-0 whitespace-pre-line">
              <span className="font-semibold md:sr-only">{personLabel(at)} </span>
              {texts[at] || "(빈칸)"}
            </span>
          </label>
        ),
      )}
      <span className="min-w-0 pt-1 font-semibold whitespace-pre-line text-gray-90">
        <span className="text-sm font-normal text-gray-60 md:sr-only">합친 뒤 </span>
        <span className={result ? undefined : "font-normal text-gray-60"}>{result || "(빈칸)"}</span>
        {both && (
          <label className="mt-1 flex min-h-9 items-center gap-2 text-sm font-normal">
            <input
              type="radio"
              name={`from-${field}`}
              checked={source.memo === "all"}
              onChange={() => onChoose("all")}
              className="size-5 accent-primary-60"
            />
            모두 이어 적기
          </label>
        )}
      </span>
    </fieldset>
  );
}
