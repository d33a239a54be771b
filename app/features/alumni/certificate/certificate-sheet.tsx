import Printer from "lucide-react/icons/printer";
import { Alert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { CERTIFICATE_STATE_LABELS, type CertificateView } from "#worker/contract/alumni/certificate.ts";
import { formatLongDate } from "#app/lib/format.ts";
import { useRootData } from "#app/lib/root-data.ts";
import { QrCode } from "#app/ui/qr-code.tsx";

/** A certificate that is no longer valid is not printed. */
export function CertificateSheet({ certificate }: { certificate: CertificateView }) {
  if (certificate.state !== "valid")
    return (
      <Alert tone="warning" className="mb-8">
        {certificate.number} 증명서는 인쇄할 수 없습니다. 상태: {CERTIFICATE_STATE_LABELS[certificate.state]}
      </Alert>
    );
  return (
    <section aria-label="증명서" className="mb-10">
      <p className="mb-3 text-right">
        <Button variant="primary" className="needs-script" onClick={() => window.print()}>
          <Printer aria-hidden="true" className="size-5" />
          인쇄
        </Button>
      </p>
      <CertificatePaper certificate={certificate} />
    </section>
  );
}

interface SiteNames {
  origin: string;
  site: { siteName: string; contact: { organization: string } };
}

function CertificatePaper({ certificate }: { certificate: CertificateView }) {
  const root = useRootData<SiteNames>();
  const organization = root?.site.contact.organization || root?.site.siteName || "";
  const { number, name, purpose, createdDate, expiresDate, path } = certificate;
  const address = `${root?.origin ?? ""}${path}`;
  return (
    <div className="paper certificate">
      <p className="certificate-number tabular">제 {number} 호</p>
      <h2>회 원 증 명 서</h2>
      <dl>
        <dt>성명</dt>
        <dd>{name}</dd>
        {purpose && (
          <>
            <dt>용도</dt>
            <dd>{purpose}</dd>
          </>
        )}
        <dt>발급일</dt>
        <dd>{formatLongDate(createdDate)}</dd>
        <dt>유효 기간</dt>
        <dd>{formatLongDate(expiresDate)}까지</dd>
      </dl>
      <p className="certificate-text">위 사람은 {organization}의 회원임을 증명합니다.</p>
      <p className="certificate-date">{formatLongDate(createdDate)}</p>
      <p className="certificate-issuer">{organization}</p>
      <div className="certificate-check">
        <QrCode text={address} label="확인 주소의 QR 그림" border={2} />
        <p>
          QR 그림을 휴대전화로 비추거나 {root?.origin}/Certificate 에서 번호와 이름을 입력하면 이 증명서가 유효한지
          확인할 수 있습니다.
        </p>
      </div>
    </div>
  );
}
