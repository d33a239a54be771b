import { formatBytes } from "#worker/contract/kernel/text.ts";

export function FileSize({ bytes }: { bytes: number }) {
  return <span className="tabular whitespace-nowrap">{formatBytes(bytes)}</span>;
}
