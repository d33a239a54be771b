import { useNavigate } from "react-router";
import { useToastedAction } from "#app/features/form/use-toasted-action.ts";
import { api, callApi } from "#app/lib/api.ts";
import { Button } from "#app/ui/button.tsx";

type RoundTarget = Parameters<typeof api.admin.round.$put>[0]["json"]["target"];

export function RoundButton({ target, className }: { target: RoundTarget; className?: string }) {
  const navigate = useNavigate();
  const { busy, run } = useToastedAction();
  const begin = () =>
    run(async () => {
      const { id } = await callApi(api.admin.round.$put({ json: { target } }));
      await navigate(`/Admin/Rounds/${id}`);
    }, null);
  return (
    <Button size="sm" className={className} busy={busy} onClick={() => void begin()}>
      정보 확인 요청
    </Button>
  );
}
