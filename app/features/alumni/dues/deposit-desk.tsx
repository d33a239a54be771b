import { useState } from "react";
import { ActionButton } from "#app/features/form/action-dialog.tsx";
import { formText, QuestionButton, useAction } from "#app/features/form/action.tsx";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { Badge, Time } from "#app/ui/inline.tsx";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { NumberField } from "#app/ui/number-field.tsx";
import { ALLOCATION_CAUSE_LABELS, DUE_LIMITS, formatWon } from "#worker/contract/alumni/dues/dues.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { ASK_REASON_LABELS } from "#worker/contract/alumni/dues/matches.ts";
import { isPersonPayer } from "#worker/contract/alumni/dues/payer.ts";
import type { DepositEntry } from "#worker/domain/alumni/dues/bank.server.ts";
import type { DepositCandidate } from "#worker/domain/alumni/dues/book.server.ts";

const personText = ({ name, cohort, affiliation, open }: DepositCandidate) =>
  [name, cohort !== null && `${cohort}기`, affiliation, open > 0 ? `낼 회비 ${formatWon(open)}` : "낼 회비 없음"]
    .filter(Boolean)
    .join(" · ");

interface PersonSearchProps {
  candidates?: DepositCandidate[];
  picked: readonly DepositCandidate[];
  onPick: (people: DepositCandidate[]) => void;
}

/** Offers candidates, or people found by name; a ticked one stays ticked in the next search. */
function PersonSearch({ candidates, picked, onPick }: PersonSearchProps) {
  const [name, setName] = useState("");
  const [found, setFound] = useState(candidates);
  const { busy, run, problem } = useAction({ reloads: "never" });
  const search = () =>
    run(async () => setFound(await callApi(api.admin.due.deposit.people.$get({ query: { name } }))), null);
  const others = found?.filter(({ id }) => !picked.some((person) => person.id === id)) ?? [];
  const label = candidates?.length ? "이 사람이 아니면 이름으로 찾기" : "이름으로 찾기";
  return (
    <>
      <fieldset aria-live="polite" className="flex flex-col">
        <legend className="font-semibold">누가 낸 돈입니까?</legend>
        {found?.length === 0 && <p className="text-gray-60">찾은 사람이 없습니다.</p>}
        {[...picked, ...others].map((person) => (
          <Checkbox
            key={person.id}
            label={personText(person)}
            checked={!others.includes(person)}
            onChange={({ target }) =>
              onPick(target.checked ? [...picked, person] : picked.filter((each) => each !== person))
            }
          />
        ))}
      </fieldset>
      <div className="flex items-end gap-2">
        <Field label={label} className="grow">
          <Input
            value={name}
            autoComplete="off"
            maxLength={SIZE_LIMITS.keywordLength}
            onChange={(event) => setName(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
              event.preventDefault();
              void search();
            }}
          />
        </Field>
        <Button busy={busy} onClick={() => void search()}>
          찾기
        </Button>
      </div>
      <ErrorAlert>{problem}</ErrorAlert>
    </>
  );
}

/** Chooses the people who paid, and remembers them for the payer's next deposit. */
function CandidateChoice({ id, version, payer, candidates }: DepositEntry) {
  const [picked, setPicked] = useState<DepositCandidate[]>([]);
  const [remember, setRemember] = useState(isPersonPayer(payer));
  const { busy, run, problem } = useAction();
  const param = { id };
  const json = { people: picked.map((person) => person.id), version, remember };
  const allocate = () =>
    run(() => callApi(api.admin.due.deposit[":id"].allocate.$post({ param, json })), "회비에 맞추었습니다.");
  return (
    <div className="mt-3 grid gap-3">
      <PersonSearch candidates={candidates} picked={picked} onPick={setPicked} />
      <Checkbox
        label={
          isPersonPayer(payer)
            ? "다음부터 이 입금자명은 이 사람의 납부로 자동 처리합니다."
            : "다음부터 이 입금자명에는 이 사람을 먼저 제안합니다."
        }
        checked={remember}
        onChange={(event) => setRemember(event.target.checked)}
      />
      <ErrorAlert>{problem}</ErrorAlert>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" size="sm" busy={busy} disabled={picked.length === 0} onClick={() => void allocate()}>
          맞추기
        </Button>
        <QuestionButton
          question={{
            label: "회비 아님",
            title: "회비가 아닌 입금으로 두시겠습니까?",
            reasonHint: "무슨 돈인지 적어 두십시오.",
            work: (note) =>
              callApi(api.admin.due.deposit[":id"].state.$post({ param, json: { isClosed: true, note, version } })),
            done: "회비가 아닌 입금으로 두었습니다.",
          }}
        />
      </div>
    </div>
  );
}

export function DepositCard({ entry }: { entry: DepositEntry }) {
  const { id, payer, paidDate, amount, allocated, isClosed, note, why, paidFor, version, isDoubted, related } = entry;
  const isOpen = !isClosed && allocated < amount;
  const param = { id };
  return (
    <Card className="p-4 md:p-5">
      <div className="tabular flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h3 className="text-lg font-bold">{payer || "(보낸분 없음)"}</h3>
        <strong>{formatWon(amount)}</strong>
        <Time date={paidDate} format="datetime" />
        {isClosed && <Badge>회비 아님</Badge>}
        {entry.source === "hand" && <Badge tone="primary">직접 적음</Badge>}
        {isOpen && allocated > 0 && <Badge tone="warning">{formatWon(amount - allocated)} 남음</Badge>}
        {(isOpen || isDoubted) && why && <Badge tone="warning">{ASK_REASON_LABELS[why]}</Badge>}
      </div>
      {related && (
        <p className="tabular mt-2">
          {related.amount < 0 ? "돌려준 출금" : "이미 저장한 입금"}: {related.payer || "(보낸분 없음)"} ·{" "}
          {formatWon(Math.abs(related.amount))} · <Time date={related.when} format="datetime" />
        </p>
      )}
      {note && <p className="mt-2 text-gray-70">{note}</p>}
      {paidFor.map(([alumniId, name, period, kind, paid, cause]) => (
        <p key={`${alumniId} ${period} ${kind} ${paid}`} className="mt-1">
          {name || "지워진 사람"} · {period} {kind} · {formatWon(paid)} ({ALLOCATION_CAUSE_LABELS[cause]})
        </p>
      ))}
      {isOpen && <CandidateChoice key={version} {...entry} />}
      <div className="mt-3 flex gap-2 empty:hidden">
        {allocated > 0 && (
          <QuestionButton
            question={{
              label: "맞춘 것 되돌리기",
              title: "이 입금으로 낸 회비를 되돌리시겠습니까?",
              text: "그 회비는 다시 내지 않은 것이 되고, 입금은 남습니다.",
              work: () => callApi(api.admin.due.deposit[":id"].release.$post({ param, json: { version } })),
              done: "되돌렸습니다.",
            }}
          />
        )}
        {isDoubted && !isClosed && (
          <QuestionButton
            question={{
              label: "확인함",
              title: "이 입금을 그대로 두시겠습니까?",
              text: "의심되는 점을 확인한 것으로 하고, 맞춘 회비는 바꾸지 않습니다.",
              work: () =>
                callApi(api.admin.due.deposit[":id"].state.$post({ param, json: { isClosed: false, version } })),
              done: "확인한 입금으로 두었습니다.",
            }}
          />
        )}
        {isClosed && (
          <QuestionButton
            question={{
              label: "다시 열기",
              title: "이 입금을 다시 회비에 맞추시겠습니까?",
              work: () =>
                callApi(api.admin.due.deposit[":id"].state.$post({ param, json: { isClosed: false, version } })),
              done: "다시 열었습니다.",
            }}
          />
        )}
      </div>
    </Card>
  );
}

/** Records cash, or money on another account. */
export function RecordPaymentButton({ today }: { today: string }) {
  const record = (form: FormData) => {
    const text = (name: string) => formText(form, name);
    const json = { alumniId: text("alumniId"), amount: Number(text("amount")), day: text("day"), note: text("note") };
    return callApi(api.admin.due.deposit.$put({ json, header: ONCE }));
  };
  return (
    <ActionButton
      label="직접 적기"
      title="받은 회비 적기"
      submitLabel="저장"
      work={record}
      done="받은 회비를 적었습니다."
      errorOf={({ fields, general }) => (fields.alumniId ? "낸 사람을 골라 주십시오." : general)}
    >
      {(errors) => <PaymentFields errors={errors} today={today} />}
    </ActionButton>
  );
}

/** The amount follows the chosen person until it is typed. */
function PaymentFields({ errors, today }: { errors: Record<string, string>; today: string }) {
  const [picked, setPicked] = useState<DepositCandidate[]>([]);
  const person = picked.at(-1);
  return (
    <>
      <PersonSearch picked={person ? [person] : []} onPick={setPicked} />
      <input type="hidden" name="alumniId" value={person?.id ?? ""} />
      <NumberField
        label="금액(원)"
        required
        error={errors.amount}
        name="amount"
        min={1}
        defaultValue={person?.open || undefined}
      />
      <Field label="받은 날" required error={errors.day}>
        <Input name="day" type="date" max={today} defaultValue={today} />
      </Field>
      <Field label="메모" hint="예: 총회에서 현금" error={errors.note}>
        <Input name="note" maxLength={DUE_LIMITS.note} />
      </Field>
    </>
  );
}
