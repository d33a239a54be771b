import { CertificateStateBadge } from "#app/features/alumni/certificate/certificate-rows.tsx";
import type { CertificateCheck } from "#worker/contract/alumni/certificate.ts";

/** Shows only the name and whether the certificate is valid. */
export function CertificateResult({ name, state }: CertificateCheck) {
  return (
    <div role="status" className="rounded-lg border border-gray-20 px-5 py-6 text-center">
      <p className="text-xl font-bold">{name || "탈퇴하거나 삭제된 사람"}</p>
      <p className="mt-3">
        <CertificateStateBadge state={state} />
      </p>
    </div>
  );
}
