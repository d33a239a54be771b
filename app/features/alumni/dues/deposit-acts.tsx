import { useState } from "react";
import { QuestionButton } from "#app/features/form/action.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { Button } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { isPersonPayer } from "#worker/contract/alumni/dues/payer.ts";
import type { DepositEntry } from "#worker/domain/alumni/dues/bank.server.ts";
import type { DepositCandidate } from "#worker/domain/alumni/dues/book.server.ts";
import type { DepositChoice } from "./deposit-decisions.ts";
import { PersonSearch } from "./person-search.tsx";

const calls = api.admin.due.deposit[":id"];

interface DepositActsProps {
  entry: DepositEntry;
  versionOf: () => number;
}

/** Changes what was decided before. */
export function StoredActs({ entry: { id, allocated, isClosed, isDoubted }, versionOf }: DepositActsProps) {
  const param = { id };
  const open = () => callApi(calls.state.$post({ param, json: { isClosed: false, version: versionOf() } }));
  return (
    <>
      {allocated > 0 && (
        <QuestionButton
          question={{
            label: "맞춘 것 되돌리기",
            title: "이 입금으로 낸 회비를 되돌리시겠습니까?",
            text: "그 회비는 다시 내지 않은 것이 되고, 입금은 남습니다.",
            work: () => callApi(calls.release.$post({ param, json: { version: versionOf() } })),
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
            work: open,
            done: "확인한 입금으로 두었습니다.",
          }}
        />
      )}
      {isClosed && (
        <QuestionButton
          question={{
            label: "다시 열기",
            title: "이 입금을 다시 회비에 맞추시겠습니까?",
            text: "같은 내용을 회비 아님으로 기억했다면 그 기억도 지웁니다.",
            work: open,
            done: "다시 열었습니다.",
          }}
        />
      )}
    </>
  );
}

/** Finds the people who paid, and remembers them for the payer's next deposit. */
export function OtherPeople({
  entry,
  versionOf,
  onDecide,
}: DepositActsProps & { onDecide: (choice: DepositChoice) => void }) {
  const { id, payer, candidates } = entry;
  const [picked, setPicked] = useState<DepositCandidate[]>([]);
  const [remember, setRemember] = useState(isPersonPayer(payer));
  return (
    <div className="grid max-w-3xl gap-3">
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
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          size="sm"
          disabled={picked.length === 0}
          onClick={() => onDecide({ people: picked, remember })}
        >
          맞추기
        </Button>
        <QuestionButton
          question={{
            label: "사유를 적고 회비 아님",
            title: "회비가 아닌 입금으로 두시겠습니까?",
            reasonHint: "무슨 돈인지 적어 두십시오.",
            work: (note) =>
              callApi(calls.state.$post({ param: { id }, json: { isClosed: true, note, version: versionOf() } })),
            done: "회비가 아닌 입금으로 두었습니다.",
          }}
        />
      </div>
    </div>
  );
}
