import type { WorkspaceSettings } from "@svc/client";
import { useQueryClient } from "@tanstack/react-query";
import { svc } from "../../base/api.ts";
import { useEdit } from "../../ui/conflict.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, SelectField, useForm } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { workspaceParts } from "../workspace/workspace-settings.ts";
import { currencyOptions } from "./currency-options.ts";

/** Changes the workspace's base currency. */
export function BaseCurrencyDialog({
  settings,
  onClose,
}: {
  settings: WorkspaceSettings;
  onClose: () => void;
}) {
  const edit = useEdit(settings, workspaceParts);
  const client = useQueryClient();
  const form = useForm(
    { baseCurrency: settings.baseCurrency },
    async ({ baseCurrency }) => {
      const { saved } = await edit.save({ baseCurrency }, (changes, ifMatch) =>
        svc.patch("/api/v1/workspace", { body: changes, ifMatch }),
      );
      if (saved) toast(`Base currency changed to ${baseCurrency}.`);
      onClose();
      await Promise.all(
        ["me", "currencies", "workspace"].map((name) => client.invalidateQueries({ queryKey: [name] })),
      );
    },
    { draft: `base currency ${settings.id}` },
  );
  return (
    <Dialog title="Change base currency" onClose={onClose}>
      <p>
        Exchange rates are shown per unit of the base currency, and new projects use it by default. Existing
        time entries keep their currency and rate. Webhooks receive the event <code>currency.changed</code>.
      </p>
      <Form form={form} submitLabel="Change base currency">
        <SelectField form={form} name="baseCurrency" label="Base currency" options={currencyOptions()} />
      </Form>
    </Dialog>
  );
}
