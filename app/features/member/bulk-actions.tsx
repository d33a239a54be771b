import { type ReactNode, useState } from "react";
import { ReasonDialog } from "#app/features/form/reason-dialog.tsx";
import { useAction } from "#app/features/form/use-action.ts";
import { api, callApi } from "#app/lib/api.ts";
import { Button } from "#app/ui/button.tsx";
import { ConfirmDialog, Dialog } from "#app/ui/dialog.tsx";
import { Field } from "#app/ui/field.tsx";
import { Select } from "#app/ui/select.tsx";
import type { BulkResult } from "#worker/contract/kernel/envelope.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { MemberStatus } from "#worker/contract/member/status.ts";

interface MemberBulkActionsProps {
  ids: readonly string[];
  /** One member's own page: their name, and what their state allows. */
  member?: { userName: string; status: MemberStatus };
  roles: readonly { roleCode: string; roleName: string }[];
  /** Afterwards nobody is chosen any more. */
  onDone: () => void;
  /** What else stands in the row. */
  children?: ReactNode;
}
type BulkAction = "block" | "role" | "end" | null;

/** What can be done to the chosen members at once. */
export function MemberBulkActions({ ids, member, roles, onDone, children }: MemberBulkActionsProps) {
  const [act, setAct] = useState<BulkAction>(null);
  const [roleCode, setRoleCode] = useState("");
  const { busy, run, clear, message } = useAction();
  const people = member ? `${member.userName} 회원` : `회원 ${ids.length}명`;
  const fits = (...states: MemberStatus[]) => !member || states.includes(member.status);
  /** Of those chosen, some may not have been in a state for it. */
  const outcomeMessage = (did: string, nobody: string) => (result: BulkResult) => {
    if (result.changed === 0) return new AppError("CONFLICT", { message: nobody });
    if (member || result.changed === ids.length) return `${people}${did}`;
    return `선택한 ${ids.length}명 가운데 ${result.changed}명${did}`;
  };
  const json = { ids: [...ids] };
  const close = () => {
    setAct(null);
    clear();
  };
  const runOnAll = async (work: () => Promise<BulkResult>, done: (result: BulkResult) => string | AppError) => {
    let changed = 0;
    const counted = async () => {
      const result = await work();
      ({ changed } = result);
      return result;
    };
    if (!(await run(counted, done))) return;
    setAct(null);
    // Where nobody was reached, the same people wait for another act.
    if (changed > 0) onDone();
  };
  const none = ids.length === 0;
  // An act that ends would close a dialog that was opened meanwhile: while one runs, none is opened.
  return (
    <div className="flex flex-wrap items-center gap-2 py-3">
      {!member && (
        <span className="tabular mr-2 text-sm text-gray-70 max-md:w-full" aria-live="polite">
          {none ? "목록에서 회원을 선택해 주십시오." : `${ids.length}명 선택`}
        </span>
      )}
      {fits("waiting") && (
        <Button
          size="sm"
          disabled={none}
          busy={busy}
          onClick={() =>
            runOnAll(
              () => callApi(api.admin.member.approve.$post({ json })),
              outcomeMessage("의 가입을 승인하였습니다.", "승인을 기다리는 회원이 없습니다."),
            )
          }
        >
          가입 승인
        </Button>
      )}
      <Button size="sm" disabled={none || busy} onClick={() => setAct("role")}>
        역할 변경
      </Button>
      <Button size="sm" disabled={none || busy} onClick={() => setAct("end")}>
        로그인 종료
      </Button>
      {fits("blocked") && (
        <Button
          size="sm"
          disabled={none}
          busy={busy}
          onClick={() =>
            runOnAll(
              () => callApi(api.admin.member.unblock.$post({ json })),
              outcomeMessage("의 차단을 해제하였습니다.", "차단된 회원이 없습니다."),
            )
          }
        >
          차단 해제
        </Button>
      )}
      {fits("active", "waiting") && (
        <Button size="sm" variant="danger" disabled={none || busy} onClick={() => setAct("block")}>
          차단
        </Button>
      )}
      {children}
      {act === null && message && (
        <p role="alert" className="w-full font-medium text-danger-60">
          {message}
        </p>
      )}
      <ReasonDialog
        open={act === "block"}
        title={`${people}을 차단하시겠습니까?`}
        confirmLabel="차단"
        busy={busy}
        error={message}
        onClose={close}
        onConfirm={(reason) =>
          runOnAll(
            () => callApi(api.admin.member.block.$post({ json: { ...json, reason } })),
            outcomeMessage("을 차단하였습니다.", "이미 차단되었거나 탈퇴한 회원입니다."),
          )
        }
      >
        <p className="mb-4">
          바로 로그아웃되고 다시 로그인할 수 없습니다. 쓴 글은 그대로이며, 언제든 해제할 수 있습니다.
        </p>
      </ReasonDialog>
      <ConfirmDialog
        open={act === "end"}
        title={`${people}의 로그인을 모두 끝내시겠습니까?`}
        confirmLabel="로그인 종료"
        busy={busy}
        error={message}
        onClose={close}
        onConfirm={() =>
          runOnAll(
            () => callApi(api.admin.member["end-sessions"].$post({ json })),
            outcomeMessage("의 로그인을 모두 종료하였습니다.", "탈퇴한 회원입니다."),
          )
        }
      >
        <p>모든 기기에서 로그아웃됩니다. 다시 로그인할 수 있습니다.</p>
      </ConfirmDialog>
      <Dialog
        open={act === "role"}
        title={`${people}의 역할 변경`}
        onClose={close}
        locked={busy}
        footer={
          <>
            <Button onClick={close} disabled={busy}>
              취소
            </Button>
            <Button
              variant="primary"
              busy={busy}
              disabled={roleCode === ""}
              onClick={() =>
                runOnAll(
                  () => callApi(api.admin.member.role.$post({ json: { ...json, roleCode } })),
                  outcomeMessage("의 역할을 변경하였습니다.", "이미 그 역할인 회원입니다."),
                )
              }
            >
              변경
            </Button>
          </>
        }
      >
        <Field label="새 역할" error={message} hint="바뀐 회원은 다시 로그인하게 됩니다.">
          <Select
            value={roleCode}
            onChange={(event) => setRoleCode(event.target.value)}
            placeholder="역할을 골라 주십시오"
            options={roles.map((role) => ({ value: role.roleCode, label: role.roleName }))}
          />
        </Field>
      </Dialog>
    </div>
  );
}
