import { Alert } from "#app/ui/alert.tsx";

type FormValues = Record<string, unknown>;
/** What a form was filled with and what was sent from it. */
export interface SentForm {
  base: FormValues;
  typed: FormValues;
}

interface ConflictSummaryProps {
  /** The form's fields by name, as people call them. */
  labels: Record<string, string>;
  /** What is stored now, by somebody else's hand. */
  stored: FormValues;
  sentForm: SentForm;
}

/** Somebody else saved first: what he changed, and where it differs from what was typed here. */
export function ConflictSummary({ labels, stored, sentForm: { base, typed } }: ConflictSummaryProps) {
  const theirs = Object.keys(labels).filter((name) => formatFieldValue(stored[name]) !== formatFieldValue(base[name]));
  const both = theirs.filter(
    (name) =>
      formatFieldValue(typed[name]) !== formatFieldValue(base[name]) &&
      formatFieldValue(typed[name]) !== formatFieldValue(stored[name]),
  );
  const taken = theirs.filter((name) => !both.includes(name));
  return (
    <Alert tone="warning" title="그사이 다른 곳에서 내용이 바뀌었습니다. 적으신 내용은 그대로 있습니다.">
      <p className="mt-1">확인한 뒤 다시 저장해 주십시오.</p>
      {taken.length > 0 && <p className="mt-2">새로 불러온 항목: {taken.map((name) => labels[name]).join(", ")}</p>}
      {both.length > 0 && (
        <dl className="mt-2 grid gap-2">
          {both.map((name) => (
            <div key={name}>
              <dt className="font-semibold">{labels[name]}</dt>
              <dd className="break-words">저장된 내용: {formatFieldValue(stored[name]) || "없음"}</dd>
              <dd className="break-words">적으신 내용: {formatFieldValue(typed[name]) || "없음"}</dd>
            </div>
          ))}
        </dl>
      )}
    </Alert>
  );
}

function formatFieldValue(value: unknown): string {
  if (value === true) return "예";
  if (value === false) return "아니요";
  if (Array.isArray(value)) return value.join(", ");
  return String(value ?? "");
}
