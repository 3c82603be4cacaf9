import type { Device } from "@svc/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { svc } from "../../base/api.ts";
import { country, dayTime } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, TextField, useForm } from "../../ui/form.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { returnToSignIn } from "./session.ts";
import { securityMessages } from "./settings-messages.ts";

const messages = securityMessages.devices;

/** Lists the devices on which the account was used, and renames or removes them. */
export function Devices() {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ["devices"],
    queryFn: ({ signal }) => svc.get("/user/devices", { signal }),
  });
  const [renaming, setRenaming] = useState<Device>();
  const [removing, setRemoving] = useState<Device>();
  const refresh = () =>
    Promise.all(["devices", "sessions"].map((noun) => client.invalidateQueries({ queryKey: [noun] })));
  return (
    <section aria-labelledby="devices">
      <h2 id="devices">{messages.title}</h2>
      <Loaded
        query={query}
        isEmpty={({ data }) => data.length === 0}
        empty={
          <Empty title={messages.emptyTitle}>
            <p>{messages.emptyHint}</p>
          </Empty>
        }
      >
        {({ data }) => (
          <ul className="items">
            {data.map((device) => (
              <li key={device.id}>
                <Description device={device} />
                <div className="row">
                  <Button onClick={() => setRenaming(device)} aria-label={messages.renameOf(device.name)}>
                    {messages.rename}
                  </Button>
                  <Button onClick={() => setRemoving(device)} aria-label={messages.removeOf(device.name)}>
                    {messages.remove}
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {renaming && (
        <RenameDialog
          device={renaming}
          onClose={() => setRenaming(undefined)}
          onDone={() => {
            setRenaming(undefined);
            toast(messages.renamed);
            void refresh();
          }}
        />
      )}
      {removing && (
        <ConfirmAction
          title={messages.question(removing.name)}
          confirmLabel={messages.confirm}
          action={() => svc.delete("/user/devices/{id}", { path: { id: removing.id } })}
          onDone={() => {
            setRemoving(undefined);
            toast(securityMessages.removed(removing.name));
            if (removing.current) returnToSignIn();
            else void refresh();
          }}
          onClose={() => setRemoving(undefined)}
        >
          <p>{removing.current ? messages.warningCurrent : messages.warning}</p>
        </ConfirmAction>
      )}
    </section>
  );
}

function Description({ device }: { device: Device }) {
  const details = [device.browser, device.system, device.country && country(device.country)];
  return (
    <div>
      <strong>{device.name}</strong> {device.current && <span className="badge">{messages.current}</span>}
      <p className="hint">
        {[...details, messages.lastUsed(dayTime(device.lastSeenAt))].filter(Boolean).join(" · ")}
      </p>
    </div>
  );
}

function RenameDialog({
  device,
  onClose,
  onDone,
}: {
  device: Device;
  onClose: () => void;
  onDone: () => void;
}) {
  const form = useForm(
    { name: device.name },
    async (values) => {
      await svc.patch("/user/devices/{id}", { path: { id: device.id }, body: values });
      onDone();
    },
    { draft: `device ${device.id}` },
  );
  return (
    <Dialog title={messages.renameOf(device.name)} onClose={onClose}>
      <Form
        form={form}
        submitLabel={messages.renameSubmit}
        actions={<Button onClick={onClose}>{securityMessages.cancel}</Button>}
      >
        <TextField form={form} name="name" label={messages.name} autoComplete="off" required />
      </Form>
    </Dialog>
  );
}
