import { useState } from "react";
import { cx } from "#app/ui/cx.ts";
import { messageBodyHtml } from "#worker/contract/mail/message-html.ts";

export function MessagePreview({ subject, text, origin }: { subject: string; text: string; origin: string }) {
  const [form, setForm] = useState<"html" | "text">("html");
  return (
    <section aria-label="미리보기">
      <div className="mb-2 flex items-center justify-between gap-3">
        <h2 className="text-lg">미리보기</h2>
        <div role="group" aria-label="미리보기 형식" className="flex rounded-md border border-gray-30">
          {(["html", "text"] as const).map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={form === each}
              onClick={() => setForm(each)}
              className={cx(
                "min-h-10 px-3.5 text-sm font-semibold first:rounded-l-md last:rounded-r-md",
                form === each ? "bg-primary-60 text-white" : "text-gray-70 hover:bg-gray-10",
              )}
            >
              {each === "html" ? "꾸민 메일" : "글자만"}
            </button>
          ))}
        </div>
      </div>
      <p className="rounded-t-lg border border-gray-20 bg-gray-5 px-4 py-2.5 font-semibold">
        <span className="sr-only">제목: </span>
        {subject || "(제목 없음)"}
      </p>
      {form === "html" ? (
        // `messageBodyHtml` escapes all text.
        <div
          className="rounded-b-lg border border-t-0 border-gray-20 bg-gray-5 p-4"
          dangerouslySetInnerHTML={{ __html: messageBodyHtml({ subject, text, origin }) }}
        />
      ) : (
        <pre className="min-h-40 rounded-b-lg border border-t-0 border-gray-20 p-4 font-sans whitespace-pre-wrap">
          {text}
        </pre>
      )}
    </section>
  );
}
