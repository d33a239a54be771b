import { type Ref, useState } from "react";
import { RichEditor } from "#app/features/editor/lazy-editor.ts";
import type { EditorHandle } from "#app/features/editor/rich-editor.tsx";
import { useRootData } from "#app/lib/page-language.ts";
import { Button } from "#app/ui/button.tsx";
import { Field, FieldError, Input } from "#app/ui/field.tsx";
import { LazyPart } from "#app/ui/lazy-part.tsx";
import { TextLink } from "#app/ui/inline.tsx";
import { useIsHydrated } from "#app/lib/use-is-hydrated.ts";
import { isLegalPage } from "#worker/contract/content/info-pages.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import type { Language } from "#worker/contract/kernel/language.ts";

export interface EnglishSiteFrame {
  site: { productCode: string };
  look: { hasEnglish?: true };
}

export interface PageTexts {
  title: string;
  content: string;
  englishTitle: string;
  englishContent: string;
}

interface FieldsOfLanguage {
  title: "title" | "englishTitle";
  content: "content" | "englishContent";
  titleLabel: string;
  label: string;
}

const FIELDS: Record<Language, FieldsOfLanguage> = {
  ko: { title: "title", content: "content", titleLabel: "제목", label: "내용" },
  en: { title: "englishTitle", content: "englishContent", titleLabel: "영문 제목", label: "영문 내용" },
};

const TABS = [
  { language: "ko", name: "한국어" },
  { language: "en", name: "영문" },
] as const;

interface PageTextFieldsProps {
  code: string;
  start: PageTexts;
  errors: Record<string, string>;
  editors: Record<Language, Ref<EditorHandle>>;
  language: Language;
  onLanguage: (language: Language) => void;
  onChange: (part: Partial<PageTexts>) => void;
  onSignedOut: () => void;
}

/** One draft holds both languages. The English editor is mounted once its tab is opened. */
export function PageTextFields({ language, onLanguage, errors, editors, ...fields }: PageTextFieldsProps) {
  const [hasOpened, setHasOpened] = useState(language === "en");
  const hasEnglish = useRootData<EnglishSiteFrame>()?.look.hasEnglish === true;
  const faulty = (shown: Language) => Boolean(errors[FIELDS[shown].title] ?? errors[FIELDS[shown].content]);
  return (
    <div className="flex flex-col gap-6">
      <div role="group" aria-label="쓰는 말" className="flex gap-2">
        {TABS.map((tab) => (
          <Button
            key={tab.language}
            size="sm"
            variant={tab.language === language ? "primary" : "secondary"}
            aria-pressed={tab.language === language}
            onClick={() => {
              if (tab.language === "en") setHasOpened(true);
              onLanguage(tab.language);
            }}
          >
            {tab.name}
            {tab.language !== language && faulty(tab.language) && " (고칠 곳 있음)"}
          </Button>
        ))}
      </div>
      <LanguageFields {...fields} errors={errors} language="ko" isShown={language === "ko"} editor={editors.ko} />
      {hasOpened && (
        <LanguageFields {...fields} errors={errors} language="en" isShown={language === "en"} editor={editors.en}>
          <p className="text-gray-60">
            비워 두면 영문 페이지에 한국어로만 볼 수 있다고 나옵니다. 한국어 글이 대신 나오지는 않습니다.
            {!hasEnglish && (
              <>
                {" "}
                영문 페이지는 <TextLink to="/Admin/Identity">모양과 용어</TextLink>에서 영문 사이트 이름을 적은 뒤에
                열립니다.
              </>
            )}
          </p>
        </LanguageFields>
      )}
    </div>
  );
}

interface LanguageFieldsProps extends Pick<
  PageTextFieldsProps,
  "code" | "start" | "errors" | "onChange" | "onSignedOut"
> {
  language: Language;
  isShown: boolean;
  editor: Ref<EditorHandle>;
  children?: React.ReactNode;
}

function LanguageFields({
  language,
  isShown,
  editor,
  code,
  start,
  errors,
  onChange,
  onSignedOut,
  children,
}: LanguageFieldsProps) {
  const hydrated = useIsHydrated();
  const { title, content, titleLabel, label } = FIELDS[language];
  const errorId = `${content}-error`;
  return (
    <div hidden={!isShown} lang={language} className={isShown ? "flex flex-col gap-7" : undefined}>
      {children && <div lang="ko">{children}</div>}
      <Field id={title} label={titleLabel} required={language === "ko"} error={errors[title]}>
        <Input
          name={title}
          autoComplete="off"
          maxLength={SIZE_LIMITS.titleLength}
          defaultValue={start[title]}
          onInput={(event) => onChange({ [title]: event.currentTarget.value })}
        />
      </Field>
      <div>
        <p className="mb-2 font-semibold text-gray-90">{label}</p>
        {code === "banner" && <p className="mb-2 text-sm text-gray-60">첫 화면에는 글자만 한 문단으로 나옵니다.</p>}
        {hydrated ? (
          <LazyPart fallback={<ContentEditorFallback />}>
            <RichEditor
              id={content}
              label={label}
              initial={start[content]}
              invalid={Boolean(errors[content])}
              describedBy={errors[content] ? errorId : undefined}
              ref={editor}
              onChange={(html) => onChange({ [content]: html })}
              onSignedOut={onSignedOut}
              isPage={!isLegalPage(code) && code !== "banner"}
            />
          </LazyPart>
        ) : (
          <ContentEditorFallback />
        )}
        {errors[content] && <FieldError id={errorId}>{errors[content]}</FieldError>}
      </div>
    </div>
  );
}

function ContentEditorFallback() {
  return (
    <div className="flex min-h-100 items-center justify-center rounded-md border border-gray-40 text-gray-60">
      편집기를 불러오는 중입니다.
    </div>
  );
}
