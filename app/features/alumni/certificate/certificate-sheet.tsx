import Printer from "lucide-react/icons/printer";
import { Alert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { CERTIFICATE_STATE_LABELS, ISSUER_FIELD } from "#worker/contract/alumni/certificate.ts";
import type { CertificateView } from "#worker/domain/alumni/certificate.server.ts";
import { fillPlaceholders } from "#worker/contract/kernel/placeholders.ts";
import { formatCount, formatLongDate } from "#app/lib/format.ts";
import { useRootData } from "#app/lib/page-language.ts";
import { QrCode } from "#app/ui/qr-code.tsx";

/** One page a certificate; one that is no longer valid is not printed. */
export function CertificateSheets({ certificates }: { certificates: readonly CertificateView[] }) {
  const valid = certificates.filter(({ state }) => state === "valid");
  return (
    <>
      {certificates
        .filter(({ state }) => state !== "valid")
        .map(({ id, documentNumber, state }) => (
          <Alert key={id} tone="warning" className="mb-8">
            {documentNumber} 증명서는 인쇄할 수 없습니다. 상태: {CERTIFICATE_STATE_LABELS[state]}
          </Alert>
        ))}
      {valid.length > 0 && (
        <section aria-label="증명서" className="mb-10">
          <p className="mb-3 flex flex-wrap items-center justify-end gap-3">
            {valid.length > 1 && (
              <span className="text-gray-70">
                {formatCount(valid.length)}장입니다. 인쇄 창에서 PDF로 저장할 수도 있습니다.
              </span>
            )}
            <Button variant="primary" className="needs-script" onClick={() => window.print()}>
              <Printer aria-hidden="true" className="size-5" />
              인쇄
            </Button>
          </p>
          {valid.map((certificate) => (
            <CertificatePaper key={certificate.id} certificate={certificate} />
          ))}
        </section>
      )}
    </>
  );
}

interface SiteNames {
  origin: string;
  site: { siteName: string; contact: { organization: string } };
}

export type PaperText = Pick<
  CertificateView,
  "kindName" | "name" | "affiliation" | "purpose" | "body" | "organization" | "chair" | "sealId"
>;

/** @param certificate without a number before it is issued */
export function CertificatePaper({ certificate }: { certificate: PaperText & Partial<CertificateView> }) {
  const root = useRootData<SiteNames>();
  const { documentNumber, number, kindName, name, affiliation, purpose, body, createdDate, expiresDate } = certificate;
  const organization = certificate.organization || root?.site.contact.organization || root?.site.siteName || "";
  const { chair, sealId, path } = certificate;
  const seal = sealId && <img className="certificate-seal" src={`/api/certificate/seal/${sealId}`} alt="직인" />;
  const facts = [
    ["성명", name],
    ["소속", affiliation],
    ["용도", purpose],
    ["발급일", createdDate && formatLongDate(createdDate)],
    ["유효 기간", expiresDate && `${formatLongDate(expiresDate)}까지`],
  ];
  return (
    <div className="paper certificate">
      <div className="certificate-head">
        <p className="certificate-number tabular">{documentNumber}</p>
      </div>
      <div className="certificate-middle">
        <div className="certificate-content">
          <h2>{kindName}</h2>
          <dl>
            {facts.map(
              ([label, value]) =>
                value && (
                  <div key={label} className="contents">
                    <dt>{label}</dt>
                    <dd>{value}</dd>
                  </div>
                ),
            )}
          </dl>
          <p className="certificate-text">
            {fillPlaceholders(body, (field) => (field === ISSUER_FIELD ? organization : undefined))}
          </p>
        </div>
      </div>
      <div className="certificate-foot">
        <div className="certificate-content">
          {createdDate && <p className="certificate-date">{formatLongDate(createdDate)}</p>}
          <p className="certificate-issuer">
            {chair ? (
              organization
            ) : (
              <span className="certificate-sealed">
                {organization}
                {seal}
              </span>
            )}
          </p>
          {chair && (
            <p className="certificate-issuer">
              <span className="certificate-sealed">
                {chair}
                {seal}
              </span>
            </p>
          )}
          {path && (
            <div className="certificate-check">
              <QrCode text={`${root?.origin ?? ""}${path}`} label="확인 주소의 QR 그림" border={2} />
              <div>
                <p className="tabular">확인 번호 {number}</p>
                <p>
                  QR 그림을 휴대전화로 비추거나 {root?.origin}/Certificate 에서 확인 번호와 이름을 입력하면 이 증명서가
                  유효한지 확인할 수 있습니다.
                </p>
              </div>
            </div>
          )}
        </div>
      </div>
    </div>
  );
}
