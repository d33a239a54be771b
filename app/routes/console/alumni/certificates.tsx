import { useWords } from "#app/lib/use-words.ts";
import { CertificateRows } from "#app/features/alumni/certificate/certificate-rows.tsx";
import { CertificateSheet } from "#app/features/alumni/certificate/certificate-sheet.tsx";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { useListSearch } from "#app/features/list/searched-list.tsx";
import { loadSearchedList, pageLoader } from "#app/lib/page-loader.server.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { Pager } from "#app/ui/pager.tsx";
import { listCertificatesQuery } from "#worker/contract/alumni/input.ts";
import { idField } from "#worker/contract/kernel/fields.ts";
import { getCertificate, listCertificates } from "#worker/domain/alumni/certificate.server.ts";
import type { Route } from "./+types/certificates";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const id = idField.safeParse(new URL(request.url).searchParams.get("id"));
  const [list, shown] = await Promise.all([
    loadSearchedList(request, listCertificatesQuery, (query) => listCertificates(scope, query)),
    id.success ? getCertificate(scope, id.data) : null,
  ]);
  return { list, shown };
});

export const meta = titledMeta("회원 증명서", "관리");

export default function CertificatesPage({ loaderData: { list, shown } }: Route.ComponentProps) {
  const say = useWords();
  const { href } = useListSearch("/Admin/Certificates");
  return (
    <>
      <ConsoleHeader
        title="회원 증명서"
        description={say("회원이 마이페이지에서 발급하거나 사무국이 {동문주소록}에서 발급한 증명서입니다.")}
        links={[
          { label: say("{동문주소록}"), href: "/Alumni" },
          { label: "확인 화면", href: "/Certificate" },
        ]}
      />
      {shown && <CertificateSheet certificate={shown} />}
      <CertificateRows certificates={list.content} base="/Admin/Certificates" withName />
      <Pager list={list} href={href} label="회원 증명서 페이지 이동" />
    </>
  );
}
