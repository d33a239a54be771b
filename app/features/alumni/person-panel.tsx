import { useWords } from "#app/lib/page-language.ts";
import X from "lucide-react/icons/x";
import { useEffect, useRef, useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { type AlumniListChoice, alumniListPath } from "#app/features/alumni/list-choice.ts";
import { AlumniValue } from "#app/features/alumni/alumni-value.tsx";
import { FieldFreshness, PersonFreshness } from "./alumni-table.tsx";
import { DeleteAlumniDialog } from "#app/features/alumni/delete-dialog.tsx";
import { AlumniPersonForm } from "#app/features/alumni/person-form.tsx";
import { downloadText, renderVCards } from "#app/features/alumni/vcard.ts";
import { Badge, TextLink, Time } from "#app/ui/inline.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { QuestionButton } from "#app/features/form/action.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { useColumnLabel } from "#app/features/alumni/column-label.tsx";
import { bookFields } from "#worker/contract/alumni/alumni-settings.ts";
import type { AlumniRow } from "#worker/contract/alumni/view.ts";
import { DUE_STATE_LABELS, formatWon } from "#worker/contract/alumni/dues/dues.ts";
import type { PersonDue } from "#worker/domain/alumni/dues/person.server.ts";
import type { AlumniListPage } from "#worker/domain/alumni/list.server.ts";

interface AlumniPersonPanelProps extends Pick<AlumniListPage, "can" | "binDays"> {
  /** Null adds a person. */
  person: AlumniRow | null;
  choice: AlumniListChoice;
}

export function AlumniPersonPanel({ person, choice, can, binDays }: AlumniPersonPanelProps) {
  const say = useWords();
  const labelOf = useColumnLabel();
  const { own } = choice.view;
  const mayChange = person !== null && (can.write || (person.mine && can.correct));
  const edited = useSearchParams()[0].get("edit");
  const [editing, setEditing] = useState(mayChange && edited !== null);
  const [deleting, setDeleting] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const navigate = useNavigate();
  const closed = alumniListPath(choice, { person: "" });
  const typed = useRef(false);
  const [asking, setAsking] = useState(false);
  const isForm = person === null || editing;
  const close = () => void navigate(closed, { preventScrollReset: true });
  const startForm = () => {
    setEditing(true);
    // The pressed button is gone: Esc and a screen reader go on from the name.
    heading.current?.focus({ preventScroll: true });
  };
  const leaveForm = () => {
    setAsking(false);
    typed.current = false;
    setEditing(false);
    heading.current?.focus({ preventScroll: true });
  };
  const start = useRef(edited);
  useEffect(() => {
    const target = (start.current && document.getElementById(`alumni-${start.current}`)) || heading.current;
    target?.focus({ preventScroll: true });
    target?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <aside
      aria-labelledby="person-name"
      onInput={() => (typed.current = editing)}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.nativeEvent.isComposing || deleting || asking) return;
        // Stops the same key press from closing the dialog that it opens.
        event.preventDefault();
        if (!editing) close();
        else if (typed.current) setAsking(true);
        else leaveForm();
      }}
      className="rounded-xl border border-gray-20 bg-white p-5 shadow-md lg:max-h-[calc(100dvh-var(--header-height)-2rem)] lg:overflow-y-auto"
    >
      <div className="mb-4 flex items-start justify-between gap-2">
        <h2
          id="person-name"
          ref={heading}
          tabIndex={-1}
          className="flex flex-wrap items-center gap-2 pt-1.5 text-xl outline-none"
        >
          {person === null ? say("{동문} 추가") : person.name}
          {person?.mine && <Badge tone="primary">나</Badge>}
        </h2>
        <Link
          to={closed}
          preventScrollReset
          aria-label="닫기"
          title="닫기"
          className="inline-flex size-11 shrink-0 items-center justify-center rounded-md text-gray-70 hover:bg-gray-10"
        >
          <X aria-hidden="true" className="size-5" />
        </Link>
      </div>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={leaveForm}
        title="저장하지 않은 내용이 있습니다"
        confirmLabel="저장하지 않고 닫기"
        cancelLabel="계속 쓰기"
      >
        <p>닫으면 방금 적은 내용은 저장되지 않습니다.</p>
      </ConfirmDialog>
      {isForm ? (
        <AlumniPersonForm
          person={person}
          canWrite={can.write}
          alumniView={choice.view}
          onCancel={person === null ? close : leaveForm}
          onDone={(id) => {
            typed.current = false;
            setEditing(false);
            if (person === null) void navigate(alumniListPath(choice, { person: id }), { preventScrollReset: true });
          }}
        />
      ) : (
        <>
          <dl className="tabular grid grid-cols-[5.5rem_minmax(0,1fr)] gap-y-2.5">
            {bookFields(choice.view)
              .filter((field) => field !== "name")
              .map((field) => (
                <div key={field} className="contents">
                  <dt className="text-sm text-gray-60">{labelOf(field)}</dt>
                  <dd className="whitespace-pre-line">
                    <AlumniValue person={person} field={field} own={own} />
                    <FieldFreshness person={person} field={field} />
                  </dd>
                </div>
              ))}
            <dt className="text-sm text-gray-60">수정일</dt>
            <dd className="text-gray-70">
              <Time date={person.modifiedDate} />
            </dd>
            {person.confirmation !== undefined && (
              <>
                <dt className="text-sm text-gray-60">본인 확인</dt>
                <dd className="text-gray-70">
                  <PersonFreshness person={person} />
                </dd>
              </>
            )}
          </dl>
          {can.dues && <PersonDues key={person.id} id={person.id} name={person.name} />}
          <div className="needs-script mt-5 flex flex-wrap gap-2 border-t border-gray-20 pt-4">
            <Button
              size="sm"
              onClick={() => downloadText(renderVCards([person], own), `${person.name}.vcf`, "text/vcard")}
            >
              연락처 저장
            </Button>
            {mayChange && (
              <Button size="sm" variant="primary" onClick={startForm}>
                수정
              </Button>
            )}
            {can.write && person.email !== "" && <InviteButton alumniId={person.id} name={person.name} />}
            {can.certify && (
              <ButtonLink size="sm" to="/Admin/Certificates" state={{ segment: { ids: [person.id] }, count: 1 }}>
                증명서 발급
              </ButtonLink>
            )}
            {can.remove && (
              <Button size="sm" variant="danger" className="ml-auto" onClick={() => setDeleting(true)}>
                삭제
              </Button>
            )}
          </div>
          <DeleteAlumniDialog
            people={[person]}
            binDays={binDays}
            open={deleting}
            onClose={() => setDeleting(false)}
            onDone={() => navigate(closed, { replace: true, preventScrollReset: true })}
          />
        </>
      )}
    </aside>
  );
}

/** Read when the panel opens, so that looking at a list records no look at amounts. */
function PersonDues({ id, name }: { id: string; name: string }) {
  const [dues, setDues] = useState<readonly PersonDue[]>([]);
  useEffect(() => {
    callApi(api.alumni[":id"].dues.$get({ param: { id } })).then(setDues, () => {});
  }, [id]);
  if (dues.length === 0) return null;
  return (
    <section aria-label="회비" className="mt-5 border-t border-gray-20 pt-4">
      <ul className="tabular space-y-1">
        {dues.map((each) => (
          <li key={each.id} className="flex flex-wrap justify-between gap-x-3">
            <span>
              {each.period} {each.kindName}
            </span>
            <span>
              {DUE_STATE_LABELS[each.state]} {formatWon(each.state === "partial" ? each.open : each.amount)}
              {each.state === "partial" && " 남음"}
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-sm">
        <TextLink to={`/Admin/Dues?${new URLSearchParams({ keyword: name })}`}>회비에서 보기</TextLink>
      </p>
    </section>
  );
}

function InviteButton({ alumniId, name }: { alumniId: string; name: string }) {
  return (
    <QuestionButton
      question={{
        label: "초대 메일 보내기",
        title: `${name}님을 회원으로 초대하시겠습니까?`,
        text: <p>주소록의 이메일로 가입할 주소를 보냅니다. 그 주소로 가입하면 주소록의 정보와 바로 연결됩니다.</p>,
        work: () => callApi(api.alumni[":id"].invite.$post({ param: { id: alumniId }, json: {} })),
        done: ({ asked }) => `${asked}에 초대 메일을 보냈습니다.`,
      }}
    >
      회원 초대
    </QuestionButton>
  );
}
