import Printer from "lucide-react/icons/printer";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import {
  GUIDE,
  GUIDE_PICTURE_SIZE,
  GUIDE_PICTURES,
  type GuidePart,
  guidePictureAddress,
} from "#app/features/site/guide/guide-text.ts";
import { findConsolePage } from "#worker/contract/kernel/console/console-pages.ts";
import { checkedLoader } from "#app/lib/page-loader.server.ts";
import { useSiteFrame, useWords } from "#app/lib/page-language.ts";
import { Button } from "#app/ui/button.tsx";
import { TextLink } from "#app/ui/inline.tsx";
import { authorizeConsole } from "#worker/domain/kernel/authorize.server.ts";

export const loader = checkedLoader(authorizeConsole);

export default function GuidePage() {
  const hasProposals = useSiteFrame()?.look.hasProposals === true;
  return (
    <>
      <ConsoleHeader
        description="사이트를 돌보는 사람이 언제 무엇을 하는지 적었습니다. 인쇄하여 가까이 두십시오."
        action={
          <Button
            size="sm"
            variant="primary"
            className="needs-script print:hidden"
            onClick={() => {
              // Loads lazy images below the viewport before printing.
              for (const image of document.querySelectorAll<HTMLImageElement>("#main img")) image.loading = "eager";
              window.print();
            }}
          >
            <Printer aria-hidden="true" className="size-4.5" />
            인쇄
          </Button>
        }
      />
      <div className="max-w-3xl">
        {GUIDE.filter(({ needs }) => needs === undefined || hasProposals).map((part) => (
          <GuidePartSection key={part.title} part={part} />
        ))}
      </div>
    </>
  );
}

function GuidePartSection({ part }: { part: GuidePart }) {
  const say = useWords();
  return (
    <section className="not-first:mt-10 print:break-before-page print:first:break-before-auto">
      <h2 className="text-xl">{part.title}</h2>
      <p className="mt-1 text-gray-70">{part.text}</p>
      <ol className="mt-4 space-y-6">
        {part.steps.map(({ title, text, href, picture }, at) => (
          <li key={title} className="break-inside-avoid">
            <h3 className="text-lg">
              {at + 1}. {say(title)}
            </h3>
            <p className="mt-1">{say(text)}</p>
            <p className="mt-1 text-sm text-gray-60">
              화면: <TextLink to={href}>{say(findConsolePage(href)?.label ?? href)}</TextLink>
            </p>
            {picture && (
              <img
                src={guidePictureAddress(picture)}
                alt={GUIDE_PICTURES[picture].alt}
                {...GUIDE_PICTURE_SIZE}
                loading="lazy"
                className="mt-3 h-auto w-full rounded-md border border-gray-20"
              />
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
