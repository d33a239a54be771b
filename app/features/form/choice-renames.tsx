import { Checkbox } from "#app/ui/choice.tsx";
import { guessRenames } from "#worker/contract/kernel/choice-rename.ts";
import { particleOf } from "#worker/contract/kernel/wording.ts";

export const readRenames = (form: FormData) => ({
  renames: form.getAll("renames").map((pair) => {
    const [from = "", to = ""] = String(pair).split("\n");
    return { from, to };
  }),
  leavesUses: form.has("leavesUses"),
});

interface ChoiceRenamesProps {
  before: readonly string[];
  choices: readonly string[];
  /** Of the choices, if they were refused. */
  error: string | undefined;
}

/** Choices that were renamed in place, whose stored values follow. */
export function ChoiceRenames({ before, choices, error }: ChoiceRenamesProps) {
  const renames = guessRenames(before, choices);
  if (renames.length === 0) return null;
  return (
    <fieldset>
      <legend className="mb-1 font-semibold">이름을 바꾼 말</legend>
      {renames.map(({ from, to }) => (
        <Checkbox
          key={`${from}\n${to}`}
          name="renames"
          value={`${from}\n${to}`}
          defaultChecked
          label={`‘${from}’${particleOf(from, "을/를")} 고른 사람의 값과 이 말을 쓰는 곳도 ‘${to}’${particleOf(to, "으로/로")} 바꿉니다.`}
        />
      ))}
      {error && <Checkbox name="leavesUses" label="따라가지 못하는 곳은 그대로 두고 저장합니다." />}
    </fieldset>
  );
}
