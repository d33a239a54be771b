import Check from "lucide-react/icons/check";
import { UserKeyInput } from "#app/features/account/user-key-input.tsx";
import { findUserIdProblem } from "#app/features/account/signup/check-signup.ts";
import { useAccountTexts } from "#app/features/account/account-texts.ts";
import { api, callApi } from "#app/lib/api.ts";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { useAction } from "#app/features/form/use-action.ts";
import { normaliseUserKey } from "#worker/contract/account/rules.ts";
import { WIDEST_ACCOUNT_RULES } from "#worker/contract/kernel/identity-rules.ts";

interface UserIdFieldProps {
  value: string;
  checkedId: string | null;
  onChange: (value: string, checkedId: string | null) => void;
  error: string | undefined;
  onError: (message: string | undefined) => void;
}

/** Editing the ID voids its duplicate check. */
export function UserIdField({ value, checkedId, onChange, error, onError }: UserIdFieldProps) {
  const texts = useAccountTexts();
  const code = normaliseUserKey("Id", value);
  const isFree = code !== "" && checkedId === code;

  const fail = (message: string) => {
    onError(message);
    document.getElementById("userId")?.focus();
    return true;
  };
  const { busy, run } = useAction({
    reloads: "never",
    onFailure: (failure) => fail(texts.failed("check", failure)),
  });
  const check = () => {
    const problem = findUserIdProblem(value, WIDEST_ACCOUNT_RULES, texts);
    if (problem) return fail(problem);
    onError(undefined);
    return run(async () => {
      const json = { userKeyType: "Id" as const, userKeyCode: code };
      const { exists } = await callApi(api["user-key"]["check-exists"].$post({ json }));
      if (exists) fail(texts.keyTaken("Id"));
      else onChange(value, code);
    }, null);
  };

  return (
    <div>
      <Field id="userId" label={texts.keys.Id} error={error} required hint={texts.userId.hint}>
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
            {texts.userId.check}
          </Button>
        </span>
      </Field>
      <p role="status" className="text-sm font-medium text-success-60">
        {isFree && (
          <span className="mt-2 flex items-center gap-1.5">
            <Check aria-hidden="true" className="size-4" />
            {texts.keyFree("Id")}
          </span>
        )}
      </p>
    </div>
  );
}
