import type { ReactNode } from "react";
import { Link } from "react-router";
import { formatCount } from "#app/lib/format.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Time } from "#app/ui/time.tsx";
import type { DashboardView } from "#worker/contract/operation/view.ts";
import { DATABASE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { formatBytes } from "#worker/contract/kernel/text.ts";

export function DashboardAlerts({ found }: { found: DashboardView }) {
  const {
    members,
    messages,
    privacy,
    openReports,
    waitingCorrections,
    waitingInquiries,
    failedImports,
    failedJobs,
    backup,
    databaseBytes,
  } = found;
  return (
    <>
      {members.waiting > 0 && (
        <TodoAlert to="/Admin/Members?status=waiting">
          가입 승인을 기다리는 회원이 {formatCount(members.waiting)}명 있습니다.
        </TodoAlert>
      )}
      {privacy.open > 0 && (
        <TodoAlert to="/Admin/Privacy?status=open" tone={privacy.overdue > 0 ? "error" : "warning"}>
          처리할 개인정보 요구가 {formatCount(privacy.open)}건 있습니다.{" "}
          {privacy.overdue > 0 ? (
            <span>{formatCount(privacy.overdue)}건은 기한이 지났습니다.</span>
          ) : (
            privacy.nextDueDate && (
              <span>
                가장 가까운 기한은 <Time date={privacy.nextDueDate} />
                입니다.
              </span>
            )
          )}
        </TodoAlert>
      )}
      {waitingInquiries > 0 && (
        <TodoAlert to="/Admin/Inquiries?status=waiting">
          답변을 기다리는 문의가 {formatCount(waitingInquiries)}건 있습니다.
        </TodoAlert>
      )}
      {openReports > 0 && (
        <TodoAlert to="/Admin/Reports">처리할 글·댓글 신고가 {formatCount(openReports)}건 있습니다.</TodoAlert>
      )}
      {waitingCorrections > 0 && (
        <TodoAlert to="/Admin/Representatives?state=waiting">
          기수 대표가 보낸 수정 요청이 {formatCount(waitingCorrections)}건 기다립니다.
        </TodoAlert>
      )}
      {messages.failed > 0 && (
        <TodoAlert to="/Admin/Messages?status=failed">
          보내지 못한 메일·문자가 {formatCount(messages.failed)}건 있습니다.
        </TodoAlert>
      )}
      {failedImports > 0 && (
        <TodoAlert to="/Admin/Audit?action=alumni.importFailed">
          최근 7일 동안 주소록 가져오기가 {formatCount(failedImports)}번 실패하였습니다.
        </TodoAlert>
      )}
      {failedJobs.length > 0 && (
        <TodoAlert to="/Admin/Jobs">예약 작업이 실패하였습니다: {failedJobs.join(", ")}</TodoAlert>
      )}
      {databaseBytes > DATABASE_LIMITS.maxBytes * DATABASE_LIMITS.warnShare && (
        <TodoAlert to="/Admin/Privacy/Retention">
          자료 저장 공간이 한도({formatBytes(DATABASE_LIMITS.maxBytes)})의 {DATABASE_LIMITS.warnShare * 100}%를
          넘었습니다. 보유 기간을 줄이거나 사이트를 설치한 사람에게 알려 주십시오.
        </TodoAlert>
      )}
      {backup === "late" && <TodoAlert to="/Admin/Jobs">26시간 안에 만든 백업이 없습니다.</TodoAlert>}
      {backup === "first" && (
        <TodoAlert to="/Admin/Jobs" tone="info">
          아직 백업이 없습니다. 매일 새벽 3시가 지나면 저절로 만들며, 지금 만드실 수도 있습니다.
        </TodoAlert>
      )}
    </>
  );
}

interface TodoAlertProps {
  to: string;
  tone?: "info" | "warning" | "error";
  children: ReactNode;
}

function TodoAlert({ to, tone = "warning", children }: TodoAlertProps) {
  return (
    <Alert tone={tone} className="mb-3">
      <Link to={to} className="font-semibold underline underline-offset-4">
        {children}
      </Link>
    </Alert>
  );
}
