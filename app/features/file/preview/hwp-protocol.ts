export type HwpRequest = { bytes: ArrayBuffer } | { page: number };

export type HwpProblem = "locked" | "broken" | "slow" | "unsupported";

export type HwpResponse = { pageCount: number; text: string } | { page: number; svg: string } | { problem: HwpProblem };
