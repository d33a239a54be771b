import { BankWorkbench } from "#app/features/alumni/dues/bank-workbench.tsx";
import { DepositTable } from "#app/features/alumni/dues/deposit-table.tsx";
import { RecordPaymentButton } from "#app/features/alumni/dues/record-payment.tsx";
import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { SearchedList } from "#app/features/list/searched-list.tsx";
import { loadSearchedList, pageLoader } from "#app/lib/page-loader.server.ts";
import { Empty } from "#app/ui/empty.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { DEPOSIT_FILTERS } from "#worker/contract/alumni/dues/bank-file.ts";
import { listDepositsQuery } from "#worker/contract/alumni/dues/due-input.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import { listDeposits } from "#worker/domain/alumni/dues/bank.server.ts";
import type { Route } from "./+types/deposits";

const PATH = "/Admin/Deposits";
const STATES = { "": "확인할 입금", all: "전체 입금", closed: "회비 외 입금", out: "출금" };

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const list = await loadSearchedList(request, listDepositsQuery, (query) => listDeposits(scope, query));
  return { list, state: new URL(request.url).searchParams.get("state") ?? "", today: koreanDay(scope.now()) };
});

export default function DepositsPage({ loaderData: { list, state, today } }: Route.ComponentProps) {
  const tabs = Object.entries(STATES).map(([each, label]) => ({
    label,
    href: each ? `${PATH}?state=${each}` : PATH,
    current: each === state,
  }));
  return (
    <>
      <ConsoleHeader
        description="은행에서 받은 거래내역을 놓으면 누가 낸 회비인지 맞춥니다. 분명한 것만 저절로 맞추고, 나머지는 직접 고르십시오."
        links={[{ label: "회비와 작업 기록", href: "/Admin/Dues" }]}
        action={<RecordPaymentButton today={today} />}
      />
      <BankWorkbench />
      <ConsoleSection title="입금">
        <Tabs label="입금" tabs={tabs} />
        <div className="mt-4">
          <SearchedList
            name="입금"
            path={PATH}
            fields={DEPOSIT_FILTERS}
            kept={["state"]}
            list={list}
            className="md:grid-cols-[1fr_auto]"
          >
            {list.content.length === 0 ? (
              <Empty className="border-y border-gray-20">입금이 없습니다.</Empty>
            ) : (
              <DepositTable key={state} rows={list.content} />
            )}
          </SearchedList>
        </div>
      </ConsoleSection>
    </>
  );
}
