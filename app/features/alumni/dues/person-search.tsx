import { useState } from "react";
import { useAction } from "#app/features/form/action.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { formatWon } from "#worker/contract/alumni/dues/dues.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
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
export function PersonSearch({ candidates, picked, onPick }: PersonSearchProps) {
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
