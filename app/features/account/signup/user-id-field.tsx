import Check from "lucide-react/icons/check";
import { UserKeyInput } from "#app/features/account/user-key-input.tsx";
import { findUserIdProblem } from "#app/features/account/signup/check-signup.ts";
import { keyMissingMessage, appendReason } from "#app/features/account/error-messages.ts";
import { api, callApi } from "#app/lib/api.ts";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { useAction } from "#app/features/form/use-action.ts";
import { userKeyAvailableMessage, UI_MESSAGES, userKeyTakenMessage } from "#worker/contract/kernel/messages.ts";
import { normaliseUserKey } from "#worker/contract/account/rules.ts";
import { WIDEST_ACCOUNT_RULES } from "#worker/contract/kernel/identity-rules.ts";

interface UserIdFieldProps {
  value: string;
  /** The ID that was found free. */
  checkedId: string | null;
  onChange: (value: string, checkedId: string | null) => void;
  error: string | undefined;
  onError: (message: string | undefined) => void;
}

/** The ID with its duplicate check; editing it makes the check void. */
export function UserIdField({ value, checkedId, onChange, error, onError }: UserIdFieldProps) {
  const code = normaliseUserKey("Id", value);
  const isFree = code !== "" && checkedId === code;

  const fail = (message: string) => {
    onError(message);
    document.getElementById("userId")?.focus();
    return true;
  };
  const { busy, run } = useAction({
    reloads: "never",
    onFailure: (failure) => fail(appendReason(UI_MESSAGES.checkFailed, failure)),
  });
  const check = () => {
    const problem = code === "" ? keyMissingMessage("Id") : findUserIdProblem(value, WIDEST_ACCOUNT_RULES);
    if (problem) return fail(problem);
    onError(undefined);
    return run(async () => {
      const json = { userKeyType: "Id" as const, userKeyCode: code };
      const { exists } = await callApi(api["user-key"]["check-exists"].$post({ json }));
      if (exists) fail(userKeyTakenMessage("Id"));
      else onChange(value, code);
    }, null);
  };

  return (
    <div>
      <Field id="userId" label="아이디" error={error} required hint="공백 없이 입력해 주십시오.">
        <span className="flex gap-2">
          <UserKeyInput
            userKeyType="Id"
            name="userId"
            autoComplete="username"
            className="min-w-0 flex-1"
            value={value}
            onChange={(event) => {
              onError(undefined);
              onChange(event.target.value, null);
            }}
          />
          <Button onClick={() => void check()} busy={busy}>
            중복확인
          </Button>
        </span>
      </Field>
      <p role="status" className="text-sm font-medium text-success-60">
        {isFree && (
          <span className="mt-2 flex items-center gap-1.5">
            <Check aria-hidden="true" className="size-4" />
            {userKeyAvailableMessage("Id")}
          </span>
        )}
      </p>
    </div>
  );
}
