import { useAction } from "#app/features/form/use-action.ts";
import { toast } from "#app/ui/toast.tsx";

/** For an act without a form: what goes wrong passes as a toast, and the page stays as it was loaded. */
export const useToastedAction = () =>
  useAction({
    reloads: "never",
    onFailure: (failure) => {
      toast(failure.message, "error");
      return true;
    },
  });
