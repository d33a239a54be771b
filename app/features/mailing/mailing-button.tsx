import type { ComponentProps } from "react";
import { useNavigate } from "react-router";
import { useToastedAction } from "#app/features/form/use-toasted-action.ts";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { Button } from "#app/ui/button.tsx";

type MailingTarget = Parameters<typeof api.admin.mailing.$put>[0]["json"];

interface MailingButtonProps extends Pick<ComponentProps<typeof Button>, "className"> {
  /** The selected people, or everyone in the list. */
  whom: MailingTarget;
  disabled?: boolean;
}

export function MailingButton({ whom, disabled = false, className }: MailingButtonProps) {
  const navigate = useNavigate();
  const { busy, run } = useToastedAction();
  const begin = () =>
    run(async () => {
      const { id } = await callApi(api.admin.mailing.$put({ json: whom, header: ONCE }));
      await navigate(`/Admin/Mailings/${id}`);
    }, null);
  return (
    <Button size="sm" className={className} disabled={disabled} busy={busy} onClick={() => void begin()}>
      메일·문자 보내기
    </Button>
  );
}
