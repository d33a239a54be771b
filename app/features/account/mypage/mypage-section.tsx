import { type ReactNode, useId } from "react";

export function MypageSection({ title, hint, children }: { title: string; hint?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="text-xl">
        {title}
      </h2>
      {hint && <p className="mt-2 text-gray-60">{hint}</p>}
      <div className="mt-5">{children}</div>
    </section>
  );
}

export function DescriptionList({ items }: { items: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="divide-y divide-gray-20 border-y border-gray-20">
      {items.map(([name, value]) => (
        <div key={name} className="grid gap-x-6 py-3.5 md:grid-cols-[10rem_1fr]">
          <dt className="font-semibold text-gray-90">{name}</dt>
          <dd className="min-w-0">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
