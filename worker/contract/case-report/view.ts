export interface LocationCount {
  regionCode: string;
  regionName: string;
  /** null when masked. */
  count: number | null;
}

export interface SubjectCounts {
  total: number;
  locations: LocationCount[];
  asOfDate: string;
  /** True when the last refresh failed. */
  stale: boolean;
}

export interface CaseReportSettingView {
  value: { maskBelow: number };
  version: number;
}
