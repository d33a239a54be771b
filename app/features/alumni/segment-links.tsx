import ChartColumn from "lucide-react/icons/chart-column";
import Printer from "lucide-react/icons/printer";
import type { HandedSegment } from "#app/features/alumni/segment-state.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import type { AlumniListPage } from "#worker/contract/alumni/view.ts";

interface SegmentLinksProps {
  handed: HandedSegment;
  can: AlumniListPage["can"];
}

export function SegmentLinks({ handed, can }: SegmentLinksProps) {
  return (
    <>
      {can.export && (
        <ButtonLink size="sm" className="needs-script" to="/Alumni/Print" state={handed}>
          <Printer aria-hidden="true" className="size-4.5" />
          인쇄
        </ButtonLink>
      )}
      {can.mail && (
        <ButtonLink size="sm" className="needs-script" to="/Admin/AlumniFigures" state={handed}>
          <ChartColumn aria-hidden="true" className="size-4.5" />
          통계
        </ButtonLink>
      )}
    </>
  );
}
