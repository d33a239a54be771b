import { type Question, QuestionButton, useAction } from "#app/features/form/action.tsx";
import { alumniEntryPath } from "#app/features/alumni/list-choice.ts";
import { api, callApi } from "#app/lib/api.ts";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { TextLink, Time } from "#app/ui/inline.tsx";
import type { MemberDetail } from "#worker/domain/member/member.server.ts";
import type { MemberEntry } from "#worker/domain/alumni/join.server.ts";

/** The member's entry of the address book, or the people who may be the member. */
export function MemberEntrySection({ member, book }: { member: MemberDetail; book: MemberEntry }) {
  const { id, userName, status } = member;
  const putting = useAction();
  const put = () =>
    putting.run(
      () => callApi(api.admin.member[":id"].entry.$post({ param: { id }, json: {} })),
      "주소록에 등록하였습니다.",
    );
  const joinQuestion = (each: MemberEntry["candidates"][number]): Question<{ asked: string }> => ({
    label: "확인 메일 보내기",
    title: `${userName} 회원을 주소록의 이 사람과 연결하시겠습니까?`,
    text: (
      <p>
        {each.asks}에 확인 메일을 보냅니다. 받은 분이 본인이 맞다고 확인하면 연결되고, 그때까지 회원에게 주소록의 정보가
        보이지 않습니다.
      </p>
    ),
    work: () => callApi(api.admin.member[":id"].join.$post({ param: { id }, json: { alumniId: each.id } })),
    done: ({ asked }) => `${asked}에 확인 메일을 보냈습니다.`,
  });
  return (
    <div className="mt-6 rounded-lg border border-gray-20 p-4">
      <h2 className="text-lg">주소록</h2>
      {book.entry && (
        <p className="mt-2">
          연결된 사람: <TextLink to={alumniEntryPath(book.entry)}>{describeEntry(book.entry)}</TextLink>
        </p>
      )}
      {book.waitsUntil && (
        <p className="mt-2">
          확인 메일을 보냈고, <Time date={book.waitsUntil} />
          까지 답을 기다립니다.
        </p>
      )}
      {book.candidates.length > 0 && (
        <>
          <p className="mt-2 text-gray-70">주소록에 이름이 같은 사람이 있습니다. 같은 사람이면 연결해 주십시오.</p>
          <ul className="mt-1 divide-y divide-gray-20">
            {book.candidates.map((each) => (
              <li key={each.id} className="flex items-center justify-between gap-3 py-2">
                <span className="min-w-0">
                  <TextLink to={alumniEntryPath(each)}>{describeEntry(each)}</TextLink>
                  <span className="block text-sm text-gray-60">같은 항목: {each.fits.join(", ") || "이름"}</span>
                </span>
                {member.canAdminister && book.hasEmail && (
                  <QuestionButton question={joinQuestion(each)}>
                    연결
                    <span className="sr-only">: {describeEntry(each)}</span>
                  </QuestionButton>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {!book.entry && (
        <>
          {book.candidates.length === 0 && <p className="mt-2 text-gray-70">주소록에 없는 회원입니다.</p>}
          {!book.hasEmail && <p className="mt-2 text-gray-70">인증된 이메일이 없어 주소록과 연결할 수 없습니다.</p>}
          {status === "active" && book.hasEmail && (
            <Button size="sm" className="mt-3" busy={putting.busy} onClick={() => void put()}>
              {book.candidates.length > 0 ? "새 사람으로 주소록에 등록" : "주소록에 등록"}
            </Button>
          )}
          <ErrorAlert className="mt-2">{putting.message}</ErrorAlert>
        </>
      )}
    </div>
  );
}

const describeEntry = ({ name, cohort, affiliation, department }: NonNullable<MemberEntry["entry"]>) =>
  [name, cohort === null ? "" : `${cohort}기`, affiliation, department].filter(Boolean).join(" · ");
