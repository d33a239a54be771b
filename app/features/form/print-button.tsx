import Printer from "lucide-react/icons/printer";
import { Button } from "#app/ui/button.tsx";

export const PrintButton = () => (
  <Button size="sm" variant="primary" className="needs-script" onClick={() => window.print()}>
    <Printer aria-hidden="true" className="size-4.5" />
    인쇄
  </Button>
);
