import { createContext, use, useState } from "react";
import { SingleFileControl } from "#app/features/alumni/own-field-control.tsx";
import { RowControls } from "#app/features/form/row-fields.tsx";
import { RowsScreen } from "#app/features/list/rows-screen.tsx";
import { usePlaceholderInsertion } from "#app/features/mail/use-placeholder-insertion.ts";
import { api } from "#app/lib/api.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Badge, TextLink } from "#app/ui/inline.tsx";
import { Button } from "#app/ui/button.tsx";
import { Field, Textarea } from "#app/ui/field.tsx";
import { CERTIFICATE_LIMITS, SELF_ISSUE_LABELS } from "#worker/contract/alumni/certificate.ts";
import { certificateKindRow } from "#worker/contract/alumni/rows.ts";
import type { SentValues } from "#worker/contract/kernel/row.ts";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import { fillPlaceholders } from "#worker/contract/kernel/placeholders.ts";
import { getCertificateKinds } from "#worker/domain/alumni/certificate-kind.server.ts";
import type { Route } from "./+types/certificate-kinds";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => getCertificateKinds(scope));

/** Placeholders with a sample each. */
const Samples = createContext<Record<string, string>>({});

export default function CertificateKindsPage({ loaderData: { rows, samples } }: Route.ComponentProps) {
  return (
    <Samples value={samples}>
      <RowsScreen
        type={certificateKindRow}
        rows={rows}
        calls={api.admin["certificate-kind"]}
        size="lg"
        controls={KindControls}
        description={
          <>
            고친 내용은 그 뒤에 발급하는 증명서에만 나옵니다. 이미 발급한 증명서는{" "}
            <TextLink to="/Admin/Certificates">증명서 발급</TextLink>에서 그대로 볼 수 있습니다.
          </>
        }
        deletion={({ name }) => `더는 '${name}' 증명서를 발급할 수 없습니다. 이미 발급한 증명서는 그대로 있습니다.`}
      >
        {({ name, body, selfIssue, isClosed }) => (
          <>
            <p className="flex flex-wrap items-center gap-2 font-semibold text-gray-90">
              {name}
              {isClosed && <Badge tone="danger">닫힘</Badge>}
            </p>
            <p className="text-sm text-gray-60">
              {body} · {SELF_ISSUE_LABELS[selfIssue]}
            </p>
          </>
        )}
      </RowsScreen>
    </Samples>
  );
}

interface KindControlsProps {
  values: Partial<SentValues<typeof certificateKindRow.fields>> | null;
  errors: Record<string, string | undefined>;
}

const { fields } = certificateKindRow;
const SEAL = { maxCount: 1, maxSize: CERTIFICATE_LIMITS.sealBytes, extensions: ["png", "jpg", "jpeg", "webp"] };

function KindControls({ values, errors }: KindControlsProps) {
  const samples = use(Samples);
  const [body, setBody] = useState(values?.body ?? "");
  const { area, insert } = usePlaceholderInsertion();
  const sealId = values?.sealId;
  const rest = { fields, values, errors };
  return (
    <>
      <RowControls {...rest} only={["name"]} />
      <Field label={fields.body.label} required error={errors["body"]}>
        <Textarea
          ref={area}
          name="body"
          rows={3}
          maxLength={fields.body.max}
          value={body}
          onChange={(event) => setBody(event.target.value)}
        />
      </Field>
      <div>
        <p className="mb-2 text-sm text-gray-60">누르면 문구의 커서 자리에 들어갑니다. 발급할 때 값으로 바뀝니다.</p>
        <ul className="flex flex-wrap gap-2">
          {Object.keys(samples).map((name) => (
            <li key={name}>
              <Button size="sm" onClick={() => insert(name)}>{`{{${name}}}`}</Button>
            </li>
          ))}
        </ul>
        <p className="mt-3 rounded-md bg-gray-5 px-4 py-3 whitespace-pre-line" aria-live="polite">
          {body ? fillPlaceholders(body, (name) => lookUp(samples, name)) : "문구를 적으면 여기에 미리 보입니다."}
        </p>
      </div>
      <RowControls {...rest} only={["organization", "chair"]} />
      <SingleFileControl
        id="certificate-seal"
        name="sealId"
        label={fields.sealId.label}
        stored={sealId ? { fileId: sealId, fileName: "올린 직인" } : null}
        write={({ fileId }) => fileId}
        limits={SEAL}
        error={errors["sealId"]}
      />
      {sealId && <img className="h-20 w-fit" src={`/api/certificate/seal/${sealId}`} alt="지금 쓰는 직인" />}
      <RowControls
        {...rest}
        only={[
          "withAffiliation",
          "withPurpose",
          "numberPattern",
          "startYear",
          "startNumber",
          "months",
          "selfIssue",
          "isClosed",
        ]}
      />
    </>
  );
}
