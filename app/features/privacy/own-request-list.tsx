import { MypageSection } from "#app/features/account/mypage/mypage-section.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Time } from "#app/ui/time.tsx";
import type { OwnPrivacyRequestRow } from "#worker/contract/privacy/view.ts";
import { REQUEST_KIND_NAMES, REQUEST_STATUS_NAMES } from "#worker/contract/privacy/rules.ts";

export function OwnRequestList({ requests }: { requests: OwnPrivacyRequestRow[] }) {
  return (
    <MypageSection title="보내신 요구">
      {requests.length === 0 && <p className="text-gray-60">보내신 요구가 없습니다.</p>}
      <ul className="divide-y divide-gray-20 border-t border-gray-20">
        {requests.map((request) => (
          <li key={request.id} className="py-5">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <strong>{REQUEST_KIND_NAMES[request.kind]} 요구</strong>
              <Badge tone={request.closedDate ? "gray" : "primary"}>{REQUEST_STATUS_NAMES[request.status]}</Badge>
              <span className="text-sm text-gray-60">
                <Time date={request.receivedDate} /> 접수
                {!request.closedDate && (
                  <>
                    {" "}
                    · <Time date={request.dueDate} />
                    까지 답변
                  </>
                )}
              </span>
            </p>
            <p className="mt-2 whitespace-pre-wrap">{request.content}</p>
            {request.extendedReason && (
              <p className="mt-2 text-sm text-gray-60">기한을 늦춘 사유: {request.extendedReason}</p>
            )}
            {request.answer && (
              <div className="mt-3 rounded-lg bg-gray-5 p-4">
                <p className="font-semibold">답변</p>
                <p className="mt-1 whitespace-pre-wrap">{request.answer}</p>
              </div>
            )}
          </li>
        ))}
      </ul>
    </MypageSection>
  );
}
