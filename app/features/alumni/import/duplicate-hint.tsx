import { useWords } from "#app/lib/use-words.ts";
import { useEffect, useState } from "react";
import { api, callApi } from "#app/lib/api.ts";
import { ButtonLink } from "#app/ui/button.tsx";

/** Shows possible duplicates among new people; never merges them. */
export function DuplicateHint({ importId }: { importId: string }) {
  const say = useWords();
  const [found, setFound] = useState(false);
  useEffect(() => {
    callApi(api.alumni.duplicate.$get({ query: { importId } })).then(
      ({ counts }) => setFound(Object.values(counts).some((count) => count > 0)),
      // The call fails for callers without write permission; they cannot merge anyway.
      () => setFound(false),
    );
  }, [importId]);
  if (!found) return null;
  return (
    <div className="mt-3">
      <p>새로 추가한 사람 가운데 이미 있는 사람과 같아 보이는 사람이 있습니다. 비교하여 합치실 수 있습니다.</p>
      <ButtonLink to={`/Alumni/Duplicates?importId=${importId}`} size="sm" className="mt-2">
        {say("중복 의심 {동문} 보기")}
      </ButtonLink>
    </div>
  );
}
