import Check from "lucide-react/icons/check";
import { useAccountTexts } from "#app/features/account/account-texts.ts";
import { cx } from "#app/ui/cx.ts";

/** @param current counted from 1 */
export function SignupSteps({ current }: { current: number }) {
  const { steps, stepsLabel, currentStep, doneStep } = useAccountTexts().signup;
  return (
    <ol aria-label={stepsLabel} className="grid grid-cols-4 gap-2 @max-[22rem]/page:grid-cols-2">
      {steps.map((name, index) => {
        const step = index + 1;
        const isCurrent = step === current;
        const done = step < current;
        return (
          <li
            key={name}
            aria-current={isCurrent ? "step" : undefined}
            className={cx(
              "flex flex-col items-center gap-2 border-t-3 pt-3 text-center text-sm md:text-base",
              isCurrent
                ? "border-primary-60 font-bold text-primary-70"
                : done
                  ? "border-primary-30 text-gray-70"
                  : "border-gray-20 text-gray-60",
            )}
          >
            <span
              aria-hidden="true"
              className={cx(
                "tabular flex size-7 items-center justify-center rounded-full text-sm font-bold",
                isCurrent ? "bg-primary-60 text-white" : done ? "bg-primary-10 text-primary-70" : "bg-gray-10",
              )}
            >
              {done ? <Check className="size-4" /> : step}
            </span>
            <span>
              {name}
              {isCurrent && <span className="sr-only">{currentStep}</span>}
              {done && <span className="sr-only">{doneStep}</span>}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
