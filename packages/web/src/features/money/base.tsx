import { useQueryClient } from "@tanstack/react-query";
import { patch } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, SelectField, useForm } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { currencyOptions } from "./choice.ts";

/** Choose another base currency. */
export function BaseCurrency({ onClose }: { onClose: () => void }) {
  const { workspace } = useCurrentUser();
  const client = useQueryClient();
  const form = useForm({ baseCurrency: workspace.baseCurrency }, async ({ baseCurrency }) => {
    await patch("/api/v1/workspace", { baseCurrency });
    toast(`The base currency is ${baseCurrency}.`);
    onClose();
    await Promise.all(
      ["me", "currencies", "workspace"].map((noun) => client.invalidateQueries({ queryKey: [noun] })),
    );
  });
  return (
    <Dialog title="Base currency" onClose={onClose}>
      <p>
        Rates are shown for one unit of it, and new projects begin with it. Time that is booked already keeps
        its currency and its rate. Webhooks hear of the change as <code>currency.changed</code>.
      </p>
      <Form form={form} submitLabel="Change">
        <SelectField form={form} name="baseCurrency" label="Currency" options={currencyOptions()} />
      </Form>
    </Dialog>
  );
}
