import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { labelled, type ListColumn, ListTable, SearchedList } from "#app/features/list/searched-list.tsx";
import { StateBadge, TextLink, Time } from "#app/ui/inline.tsx";
import { searchedListLoader } from "#app/lib/page-loader.server.ts";
import { listInquiriesQuery } from "#worker/contract/inquiry/input.ts";
import { INQUIRY_CATEGORY_NAMES, INQUIRY_DESK, INQUIRY_FILTERS as FILTERS } from "#worker/contract/inquiry/inquiry.ts";
import { listInquiries } from "#worker/domain/inquiry/inquiry.server.ts";
import type { Route } from "./+types/inquiries";

export const loader = searchedListLoader(listInquiriesQuery, listInquiries);

const PATH = "/Admin/Inquiries";
const COLUMNS: ListColumn<Route.ComponentProps["loaderData"]["content"][number]>[] = [
  { head: "상태", renderCell: ({ status }) => <StateBadge desk={INQUIRY_DESK} state={status} /> },
  {
    head: "제목",
    className: "max-md:font-semibold md:max-w-md",
    renderCell: ({ id, subject }) => (
      <TextLink to={`${PATH}/${id}`} className="inline-flex min-h-6 items-center">
        {subject}
      </TextLink>
    ),
  },
  labelled("분류", ({ category }) => INQUIRY_CATEGORY_NAMES[category]),
  labelled("물은 회원", ({ userName }) => userName),
  labelled("접수한 날", ({ createdDate }) => <Time date={createdDate} />),
  labelled("마지막 글", ({ lastDate }) => <Time date={lastDate} format="datetime" />),
];

export default function InquiriesPage({ loaderData: list }: Route.ComponentProps) {
  return (
    <>
      <ConsoleHeader description="회원이 사무국에 물은 것입니다. 오래 기다린 문의부터 보입니다." />
      <SearchedList name="문의" path={PATH} fields={FILTERS} list={list} className="md:grid-cols-3">
        <ListTable
          columns={COLUMNS}
          rows={list.content}
          keyOf={({ id }) => id}
          caption="1:1 문의"
          emptyText="문의가 없습니다."
          className="md:min-w-[46rem]"
        />
      </SearchedList>
    </>
  );
}
