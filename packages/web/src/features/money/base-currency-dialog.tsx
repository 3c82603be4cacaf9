import type { WorkspaceSettings } from "@svc/client";
import { useQueryClient } from "@tanstack/react-query";
import { svc } from "../../base/api.ts";
import { ComboField } from "../../ui/combo-field.tsx";
import { useEdit } from "../../ui/conflict.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, useForm } from "../../ui/form.tsx";
import { code, RichText } from "../../ui/rich-text.tsx";
import { toast } from "../../ui/toast.tsx";
import { workspaceParts } from "../workspace/workspace-settings.ts";
import { currencyOptions } from "./currency-options.ts";
import { messages } from "./messages.ts";

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
      if (saved) toast(messages.baseCurrency.changed(baseCurrency));
      onClose();
      await Promise.all(
        ["me", "currencies", "workspace"].map((name) => client.invalidateQueries({ queryKey: [name] })),
      );
    },
    { draft: `base currency ${settings.id}` },
  );
  return (
    <Dialog title={messages.baseCurrency.change} onClose={onClose}>
      <p>
        <RichText text={messages.baseCurrency.lead} marks={{ code }} />
      </p>
      <Form form={form} submitLabel={messages.baseCurrency.change}>
        <ComboField
          form={form}
          name="baseCurrency"
          label={messages.baseCurrency.label}
          options={currencyOptions()}
        />
      </Form>
    </Dialog>
  );
}
