import { useAction } from "#app/features/form/action.tsx";
import { toast } from "#app/ui/toast.tsx";

/** Shows errors as a toast and does not reload the page. */
export const useToastedAction = () =>
  useAction({
    reloads: "never",
    onFailure: (failure) => {
      toast(failure.message, "error");
      return true;
    },
  });
