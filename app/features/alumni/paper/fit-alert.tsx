import type { PaperFit } from "#app/features/alumni/paper/use-fit.ts";
import { formatCount } from "#app/lib/format.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { LEFT_OUT_NAMES, type PrintedPerson } from "#worker/contract/alumni/paper.ts";

interface FitAlertProps {
  fit: PaperFit;
  isSmall: boolean;
  people: readonly PrintedPerson[];
  onSmall: (isSmall: boolean) => void;
}

/** Names whose text is cut off, and offers smaller type for them alone. */
export function FitAlert({ fit: { cut, cutInSmall }, isSmall, people, onSmall }: FitAlertProps) {
  if (cut.length === 0) return null;
  const namesOf = (ids: readonly string[]) => {
    const named = ids.slice(0, LEFT_OUT_NAMES).map((id) => people.find((person) => person.id === id)?.name ?? "");
    return `${named.join(", ")}${ids.length > named.length ? ` 외 ${formatCount(ids.length - named.length)}명` : ""}`;
  };
  if (!isSmall)
    return (
      <Alert tone="warning" className="mb-4" title={`칸에 다 들어가지 않아 잘리는 ${formatCount(cut.length)}명`}>
        <p>{namesOf(cut)}</p>
        <p className="mt-2">
          <Button size="sm" onClick={() => onSmall(true)}>
            이 사람들만 글자를 작게
          </Button>
        </p>
      </Alert>
    );
  const title =
    cutInSmall.length > 0
      ? `글자를 작게 하여도 잘리는 ${formatCount(cutInSmall.length)}명`
      : `${formatCount(cut.length)}명의 글자를 작게 하여 모두 들어갑니다.`;
  return (
    <Alert tone={cutInSmall.length > 0 ? "warning" : "info"} className="mb-4" title={title}>
      {cutInSmall.length > 0 && <p>{namesOf(cutInSmall)}. 덧붙일 항목을 줄이거나 칸이 더 큰 용지를 고르십시오.</p>}
      <p className="mt-2">
        <Button size="sm" onClick={() => onSmall(false)}>
          모두 같은 크기로
        </Button>
      </p>
    </Alert>
  );
}
