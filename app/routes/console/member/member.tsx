import { useSearchParams } from "react-router";
import { AuditTable } from "#app/features/operation/audit-table.tsx";
import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { MemberBulkActions } from "#app/features/member/bulk-actions.tsx";
import { memberKey, MemberStatusBadge } from "#app/features/member/member-status.tsx";
import { formText, type Question, QuestionButton, useAction } from "#app/features/form/action.tsx";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader, readPagePath } from "#app/lib/page-loader.server.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { LabeledValue } from "#app/ui/labeled-value.tsx";
import { Field, Input, Select } from "#app/ui/field.tsx";
import { Badge, Time } from "#app/ui/inline.tsx";
import { idPath } from "#worker/contract/kernel/fields.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import { getMember, type MemberDetail } from "#worker/domain/member/member.server.ts";
import { listRoles } from "#worker/domain/access/role.server.ts";
import type { Route } from "./+types/member";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { ActionButton } from "#app/features/form/action-dialog.tsx";
import { roleOptions } from "#app/features/access/role-options.ts";
import { lastDayOf } from "#app/lib/format.ts";
import { can } from "#worker/domain/kernel/authorize.server.ts";
import { getMemberEntry } from "#worker/domain/alumni/join.server.ts";
import { MemberEntrySection } from "#app/features/alumni/member-entry.tsx";

export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) => {
  const [{ roles }, ctx] = await Promise.all([listRoles(scope), scope.context()]);
  const { id } = readPagePath(idPath, params, "회원을 찾을 수 없습니다.");
  const member = await getMember(ctx, id);
  const seesBook = can(ctx.actor, { action: "Alumni_Write" }) && member.status !== "retired";
  return { member, roles, today: koreanDay(scope.now()), book: seesBook ? await getMemberEntry(ctx, id) : null };
});

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta({ matches, title: [loaderData?.member.userName ?? "회원", "회원 관리"] });

export default function MemberPage({ loaderData }: Route.ComponentProps) {
  const { member, roles, today, book } = loaderData;
  const atSignup = new Map(book?.fields.map(({ name, account }) => [name, account]));
  const retired = member.status === "retired" || member.status === "refused";
  const offersActs = !retired && member.canAdminister;
  return (
    <>
      <ConsoleHeader
        parent={{ label: "회원 목록", href: "/Admin/Members" }}
        title={member.userName}
        action={
          offersActs && (
            <>
              <NameButton member={member} />
              <EmailButton member={member} />
            </>
          )
        }
      />
      {!retired && !member.canAdminister && (
        <Alert title="이 회원의 정보는 볼 수만 있습니다.">
          <p className="mt-1">
            관리자님에게 없는 권한을 가진 회원입니다. 차단, 역할, 이메일처럼 계정을 바꾸는 일은 그 권한을 가진
            관리자에게 요청해 주십시오.
          </p>
        </Alert>
      )}
      {offersActs && (
        <div className="border-y border-gray-20">
          <MemberBulkActions ids={[member.id]} member={member} roles={roles} onDone={() => undefined}>
            <UnlockButton id={member.id} />
            <QuestionButton question={resetLinkQuestion(member.id)}>비밀번호 재설정 메일</QuestionButton>
          </MemberBulkActions>
        </div>
      )}
      {book && !retired && <MemberEntrySection member={member} book={book} />}
      <dl className="mt-6 grid gap-x-8 gap-y-4 md:grid-cols-2">
        <LabeledValue name="상태">
          <MemberStatusBadge status={member.status} />
        </LabeledValue>
        {member.suspendedDate && (
          <LabeledValue name="처리정지">
            <MemberSuspension id={member.id} since={member.suspendedDate} />
          </LabeledValue>
        )}
        <LabeledValue name="역할">{member.userType === "Admin" ? "시스템 관리자" : member.roleName}</LabeledValue>
        <LabeledValue name="아이디">{memberKey(member, "Id") || "-"}</LabeledValue>
        <LabeledValue name="이메일">{memberKey(member, "Email") || "-"}</LabeledValue>
        <LabeledValue name="휴대전화">{memberKey(member, "Mobile") || "-"}</LabeledValue>
        <LabeledValue name="가입일">
          <Time date={member.createdDate} format="datetime" />
        </LabeledValue>
        <LabeledValue name="최근 로그인">
          {member.lastSigninDate ? <Time date={member.lastSigninDate} format="datetime" /> : "-"}
        </LabeledValue>
        <LabeledValue name="쓴 글과 댓글">
          글 {member.itemCount}건, 댓글 {member.commentCount}건
        </LabeledValue>
        {member.profile.map(({ name, value }) => (
          <LabeledValue key={name} name={name}>
            {value}
            {(atSignup.get(name) ?? value) !== value && (
              <span className="block text-sm text-gray-60">
                가입 때 적은 값: {atSignup.get(name) || "없음"}. 주소록의 값을 씁니다.
              </span>
            )}
          </LabeledValue>
        ))}
      </dl>
      <div className="mt-10">
        {!retired && (
          <ConsoleSection title="기간제 역할">
            <RoleGrantList member={member} roles={roles} today={today} />
          </ConsoleSection>
        )}
        <ConsoleSection title="동의">
          {member.consents.length === 0 && <p className="text-gray-60">기록이 없습니다.</p>}
          <ul className="divide-y divide-gray-20">
            {member.consents.map((consent) => (
              <li key={`${consent.code} ${consent.version} ${consent.createdDate}`} className="py-2">
                {consent.title} <span className="text-gray-60">({consent.version})</span> ·{" "}
                {consent.agreed ? "동의" : "동의하지 않음"} · <Time date={consent.createdDate} format="datetime" />
              </li>
            ))}
          </ul>
        </ConsoleSection>
        <ConsoleSection title="지금 로그인한 기기">
          {member.sessions.length === 0 && <p className="text-gray-60">없습니다.</p>}
          <ul className="divide-y divide-gray-20">
            {member.sessions.map((session) => (
              <li key={session.createdDate} className="py-2">
                <Time date={session.lastUsedDate} format="datetime" /> · {session.address}
                <span className="block text-sm text-gray-60">{session.userAgent}</span>
              </li>
            ))}
          </ul>
        </ConsoleSection>
        <ConsoleSection title="이력">
          <AuditTable rows={member.history} caption={`${member.userName} 회원의 이력`} />
        </ConsoleSection>
      </div>
    </>
  );
}

function UnlockButton({ id }: { id: string }) {
  const { busy, run, message } = useAction();
  return (
    <>
      <Button
        size="sm"
        busy={busy}
        onClick={() =>
          run(
            () => callApi(api.admin.member[":id"].unlock.$post({ param: { id }, json: {} })),
            "로그인 제한을 해제하였습니다.",
          )
        }
      >
        로그인 제한 해제
      </Button>
      {message && (
        <p role="alert" className="text-danger-60">
          {message}
        </p>
      )}
    </>
  );
}

const resetLinkQuestion = (id: string): Question => ({
  label: "보내기",
  title: "비밀번호 재설정 메일을 보내시겠습니까?",
  text: (
    <p>
      회원이 스스로 비밀번호를 다시 정하는 주소를 보냅니다. 하루 동안 한 번 쓸 수 있고, 그때까지 지금의 비밀번호는
      그대로입니다.
    </p>
  ),
  work: () => callApi(api.admin.member[":id"]["reset-link"].$post({ param: { id }, json: {} })),
  done: "비밀번호를 다시 정할 주소를 보냈습니다.",
});

function EmailButton({ member }: { member: Pick<MemberDetail, "id" | "version"> }) {
  const [params] = useSearchParams();
  const correct = (form: FormData) => {
    const json = { email: formText(form, "email"), reason: formText(form, "reason"), version: member.version };
    return callApi(api.admin.member[":id"].email.$patch({ param: { id: member.id }, json }));
  };
  return (
    <ActionButton
      label="이메일 정정"
      title="이메일 정정"
      submitLabel="정정"
      startsOpen={params.get("edit") === "email"}
      work={correct}
      done="이메일을 정정하였습니다."
    >
      {(errors) => (
        <>
          <p>
            메일함을 잃은 회원의 주소를 바꿉니다. 본인인지 먼저 확인해 주십시오. 이전 주소와 새 주소에 모두 알립니다.
          </p>
          <Field label="새 이메일" required error={errors.email}>
            <Input name="email" type="email" autoComplete="off" />
          </Field>
          <Field label="사유" hint="본인을 확인한 방법을 적어 주십시오." required error={errors.reason}>
            <Input name="reason" maxLength={SIZE_LIMITS.reasonLength} />
          </Field>
        </>
      )}
    </ActionButton>
  );
}

function NameButton({ member }: { member: Pick<MemberDetail, "id" | "userName" | "version"> }) {
  const rename = (form: FormData) => {
    const json = { userName: formText(form, "userName"), reason: formText(form, "reason"), version: member.version };
    return callApi(api.admin.member[":id"].name.$patch({ param: { id: member.id }, json }));
  };
  return (
    <ActionButton
      label="이름 정정"
      title="이름 정정"
      submitLabel="정정"
      work={rename}
      done="이름을 정정하였습니다."
      reasonExample="예: 개명하여 신분증으로 확인"
    >
      {(errors) => (
        <>
          <p>회원에게 바뀐 이름을 알립니다. 이미 쓴 글에는 쓸 때의 이름이 남습니다.</p>
          <Field label="새 이름" required error={errors.userName}>
            <Input name="userName" defaultValue={member.userName} autoComplete="off" />
          </Field>
        </>
      )}
    </ActionButton>
  );
}

interface RoleGrantListProps {
  member: Pick<MemberDetail, "id" | "userName" | "roleCode" | "grants" | "canAdminister">;
  roles: readonly { roleCode: string; roleName: string }[];
  /** Today in Korea as YYYY-MM-DD. */
  today: string;
}

/** Roles held in addition to the member's own role, each for a period. */
function RoleGrantList({ member, roles, today }: RoleGrantListProps) {
  const endQuestion = ({ grantId, roleName, isNow }: MemberDetail["grants"][number]): Question => ({
    label: isNow ? "끝내기" : "예정 취소",
    title: `${member.userName} 회원의 '${roleName}' 역할을 끝내시겠습니까?`,
    text: <p>바로 그 권한을 쓸 수 없게 됩니다. 기본 역할은 그대로입니다.</p>,
    work: () =>
      callApi(api.admin.member[":id"]["role-grant"][":grantId"].$delete({ param: { id: member.id, grantId } })),
    done: "역할을 끝냈습니다.",
  });
  return (
    <>
      <p className="text-gray-70">기본 역할에 더하여, 정한 날부터 정한 날까지만 쓰는 역할입니다.</p>
      {member.grants.length === 0 && <p className="mt-2 text-gray-60">없습니다.</p>}
      <ul className="mt-2 divide-y divide-gray-20">
        {member.grants.map((grant) => (
          <li key={grant.grantId} className="flex flex-wrap items-center justify-between gap-3 py-2">
            <span>
              {grant.roleName} <Badge tone={grant.isNow ? "success" : "gray"}>{grant.isNow ? "지금" : "예정"}</Badge>
              <span className="tabular block text-sm text-gray-70">
                <Time date={grant.startDate} />
                {grant.endDate ? (
                  <span>
                    부터 <Time date={lastDayOf(grant.endDate)} />
                    까지
                  </span>
                ) : (
                  <span>부터 끝낼 때까지</span>
                )}
              </span>
            </span>
            {member.canAdminister && (
              <QuestionButton question={endQuestion(grant)}>
                {grant.isNow ? "끝내기" : "취소"}
                <span className="sr-only">: {grant.roleName}</span>
              </QuestionButton>
            )}
          </li>
        ))}
      </ul>
      {member.canAdminister && <GrantButton member={member} roles={roles} today={today} />}
    </>
  );
}

function GrantButton({ member, roles, today }: RoleGrantListProps) {
  const grant = (form: FormData) => {
    const to = formText(form, "to");
    const json = {
      roleCode: formText(form, "roleCode"),
      from: formText(form, "from"),
      ...(to ? { to } : {}),
      reason: formText(form, "reason"),
    };
    return callApi(api.admin.member[":id"]["role-grant"].$put({ param: { id: member.id }, json, header: ONCE }));
  };
  return (
    <ActionButton
      label="기간제 역할 주기"
      className="mt-3"
      title={`${member.userName} 회원에게 기간제 역할 주기`}
      submitLabel="주기"
      work={grant}
      done="역할을 주었습니다."
      reasonExample="예: 2026년 명부 정리 담당"
    >
      {(errors) => (
        <>
          <Field label="역할" required error={errors.roleCode}>
            <Select
              name="roleCode"
              placeholder="역할을 골라 주십시오"
              options={roleOptions(roles.filter(({ roleCode }) => roleCode !== member.roleCode))}
            />
          </Field>
          <div className="grid gap-4 md:grid-cols-2">
            <Field label="시작일" required error={errors.from}>
              <Input name="from" type="date" defaultValue={today} />
            </Field>
            <Field label="종료일" hint="비우면 끝낼 때까지입니다." error={errors.to}>
              <Input name="to" type="date" />
            </Field>
          </div>
        </>
      )}
    </ActionButton>
  );
}

function MemberSuspension({ id, since }: { id: string; since: string }) {
  const question: Question = {
    label: "풀기",
    title: "처리정지를 푸시겠습니까?",
    reasonHint: "회원이 풀어 달라고 한 경위를 적어 주십시오. 감사 기록에 남습니다.",
    work: (reason) => callApi(api.admin.member[":id"].resume.$post({ param: { id }, json: { reason } })),
    done: "처리정지를 풀었습니다.",
  };
  return (
    <>
      <span className="flex flex-wrap items-center gap-2">
        <Badge tone="warning">처리정지</Badge>
        <span>
          <Time date={since} />
          부터
        </span>
        <QuestionButton question={question}>처리정지 풀기</QuestionButton>
      </span>
      <p className="mt-1 text-sm text-gray-60">단체 메일, 광고성 메일, 새 글·댓글 알림을 보내지 않습니다.</p>
    </>
  );
}
