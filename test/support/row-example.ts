import type { z } from "zod";
import type { ConsoleRowKind } from "#worker/contract/kernel/console/console-page.ts";

const INPUTS = import.meta.glob<Record<string, z.ZodType>>("../../worker/contract/*/input.ts", { eager: true });

export function rowExample({ code }: Pick<ConsoleRowKind, "code">): Record<string, unknown> {
  const name = `create-${code}-input`.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const schema = Object.values(INPUTS).flatMap((inputs) => inputs[name] ?? [])[0];
  const example = schema?.meta()?.example;
  if (!example) throw new Error(`${name} has no example`);
  return example as Record<string, unknown>;
}
