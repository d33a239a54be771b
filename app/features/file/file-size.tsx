import { formatBytes } from "#worker/contract/kernel/text.ts";

export function FileSize({ bytes }: { bytes: number }) {
  return <span className="figure">{formatBytes(bytes)}</span>;
}
