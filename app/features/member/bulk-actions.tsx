import { type ReactNode, useState } from "react";
import { type Question, QuestionButton, REASON_HINT, useAction } from "#app/features/form/action.tsx";
import { roleOptions } from "#app/features/access/role-options.ts";
import { api, callApi } from "#app/lib/api.ts";
import { Button } from "#app/ui/button.tsx";
import { Field, Select } from "#app/ui/field.tsx";
import { AppError, type BulkResult } from "#worker/contract/kernel/errors.ts";
import type { MemberStatus } from "#worker/contract/account/rules.ts";

interface MemberBulkActionsProps {
  ids: readonly string[];
  /** Set on a single member's page; the status limits the actions. */
  member?: { userName: string; status: MemberStatus };
  roles: readonly { roleCode: string; roleName: string }[];
  /** Clears the selection. */
  onDone: () => void;
  children?: ReactNode;
}

const NO_APPLICANT = "승인을 기다리는 회원이 없습니다.";

export function MemberBulkActions({ ids, member, roles, onDone, children }: MemberBulkActionsProps) {
  const [roleCode, setRoleCode] = useState("");
  const { busy, run, message } = useAction();
  const people = member ? `${member.userName} 회원` : `회원 ${ids.length}명`;
  const fits = (...states: MemberStatus[]) => !member || states.includes(member.status);
  /** Some selected members may be in a state that the action does not apply to. */
  const outcomeMessage = (did: string, nobody: string) => (result: BulkResult) => {
    if (result.changed === 0) return new AppError("CONFLICT", { message: nobody });
    if (member || result.changed === ids.length) return `${people}${did}`;
    return `선택한 ${ids.length}명 가운데 ${result.changed}명${did}`;
  };
  const calls = api.admin.member;
  const json = { ids: [...ids] };
  // Keeps the selection if no member was changed.
  const settle = ({ changed }: BulkResult) => {
    if (changed > 0) onDone();
  };
  const none = ids.length === 0;
  const blockQuestion: Question<BulkResult> = {
    label: "차단",
    title: `${people}을 차단하시겠습니까?`,
    text: <p>바로 로그아웃되고 다시 로그인할 수 없습니다. 쓴 글은 그대로이며, 언제든 해제할 수 있습니다.</p>,
    danger: true,
    reasonHint: REASON_HINT,
    work: (reason) => callApi(calls.block.$post({ json: { ...json, reason } })),
    done: outcomeMessage("을 차단하였습니다.", "이미 차단되었거나 탈퇴한 회원입니다."),
    onDone: settle,
  };
  const refuseQuestion: Question<BulkResult> = {
    label: "가입 반려",
    title: `${people}의 가입을 반려하시겠습니까?`,
    text: (
      <p>
        사유를 메일로 알립니다. 아이디와 연락처는 바로 지워져 같은 아이디와 이메일로 다시 신청할 수 있고, 이름과 가입
        항목은 개인정보 보관 설정에 따라 파기합니다. 되돌릴 수 없습니다.
      </p>
    ),
    danger: true,
    reasonHint: "신청한 분께 보내는 메일에 그대로 들어가고, 감사 기록에 남습니다.",
    work: (reason) => callApi(calls.refuse.$post({ json: { ...json, reason } })),
    done: outcomeMessage("의 가입을 반려하였습니다.", NO_APPLICANT),
    onDone: settle,
  };
  const endQuestion: Question<BulkResult> = {
    label: "로그인 종료",
    title: `${people}의 로그인을 모두 끝내시겠습니까?`,
    text: <p>모든 기기에서 로그아웃됩니다. 다시 로그인할 수 있습니다.</p>,
    work: () => callApi(calls["end-sessions"].$post({ json })),
    done: outcomeMessage("의 로그인을 모두 종료하였습니다.", "탈퇴한 회원입니다."),
    onDone: settle,
  };
  const roleQuestion: Question<BulkResult> = {
    label: "변경",
    title: `${people}의 역할 변경`,
    text: (
      <Field label="새 역할" hint="바뀐 회원은 다시 로그인하게 됩니다.">
        <Select
          value={roleCode}
          onChange={(event) => setRoleCode(event.target.value)}
          placeholder="역할을 골라 주십시오"
          options={roleOptions(roles)}
        />
      </Field>
    ),
    disabled: roleCode === "",
    work: () => callApi(calls.role.$post({ json: { ...json, roleCode } })),
    done: outcomeMessage("의 역할을 변경하였습니다.", "이미 그 역할인 회원입니다."),
    onDone: settle,
  };
  const direct = (label: string, call: () => Promise<BulkResult>, did: string, nobody: string) => {
    const work = async () => {
      const result = await call();
      settle(result);
      return result;
    };
    return (
      <Button size="sm" disabled={none} busy={busy} onClick={() => void run(work, outcomeMessage(did, nobody))}>
        {label}
      </Button>
    );
  };
  // A finished action would close a newly opened dialog, so none opens while one runs.
  return (
    <div className="list-bar flex flex-wrap items-center gap-2 py-3">
      {!member && (
        <span className="tabular mr-2 text-sm text-gray-70 max-md:w-full" aria-live="polite">
          {none ? "목록에서 회원을 선택해 주십시오." : `${ids.length}명 선택`}
        </span>
      )}
      {fits("waiting") &&
        direct("가입 승인", () => callApi(calls.approve.$post({ json })), "의 가입을 승인하였습니다.", NO_APPLICANT)}
      {fits("waiting") && <QuestionButton question={refuseQuestion} disabled={none || busy} />}
      <QuestionButton question={roleQuestion} disabled={none || busy}>
        역할 변경
      </QuestionButton>
      <QuestionButton question={endQuestion} disabled={none || busy} />
      {fits("blocked") &&
        direct(
          "차단 해제",
          () => callApi(calls.unblock.$post({ json })),
          "의 차단을 해제하였습니다.",
          "차단된 회원이 없습니다.",
        )}
      {fits("active", "waiting") && <QuestionButton question={blockQuestion} disabled={none || busy} />}
      {children}
      {message && (
        <p role="alert" className="w-full font-medium text-danger-60">
          {message}
        </p>
      )}
    </div>
  );
}
