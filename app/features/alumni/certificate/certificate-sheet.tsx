import Printer from "lucide-react/icons/printer";
import { CertificatePaper } from "#app/features/alumni/certificate/certificate-paper.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { CERTIFICATE_STATE_LABELS, type CertificateView } from "#worker/contract/alumni/certificate.ts";

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
