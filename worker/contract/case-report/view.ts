export interface LocationCount {
  regionCode: string;
  regionName: string;
  /** null where it is masked. */
  count: number | null;
}

export interface SubjectCounts {
  total: number;
  locations: LocationCount[];
  asOfDate: string;
  /** The last try to get newer figures failed. */
  stale: boolean;
}

export interface CaseReportSettingView {
  value: { maskBelow: number };
  version: number;
}
