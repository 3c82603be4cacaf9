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
      <h2 id="devices">Known devices</h2>
      <Loaded
        query={query}
        isEmpty={({ data }) => data.length === 0}
        empty={
          <Empty title="No known devices">
            <p>Devices will appear here after you sign in on them.</p>
          </Empty>
        }
      >
        {({ data }) => (
          <ul className="items">
            {data.map((device) => (
              <li key={device.id}>
                <Description device={device} />
                <div className="row">
                  <Button onClick={() => setRenaming(device)} aria-label={`Rename ${device.name}`}>
                    Rename…
                  </Button>
                  <Button onClick={() => setRemoving(device)} aria-label={`Remove ${device.name}`}>
                    Remove…
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
            toast("Device renamed.");
            void refresh();
          }}
        />
      )}
      {removing && (
        <ConfirmAction
          title={`Remove ${removing.name}?`}
          confirmLabel="Remove device"
          action={() => svc.delete("/user/devices/{id}", { path: { id: removing.id } })}
          onDone={() => {
            setRemoving(undefined);
            toast(`${removing.name} removed.`);
            if (removing.current) returnToSignIn();
            else void refresh();
          }}
          onClose={() => setRemoving(undefined)}
        >
          <p>
            Its sessions will end, and its next sign-in counts as a new device.
            {removing.current && " This is the device you are using, so you will be signed out."}
          </p>
        </ConfirmAction>
      )}
    </section>
  );
}

function Description({ device }: { device: Device }) {
  const details = [device.browser, device.system, device.country && country(device.country)];
  return (
    <div>
      <strong>{device.name}</strong> {device.current && <span className="badge">this device</span>}
      <p className="hint">
        {[...details, `last used ${dayTime(device.lastSeenAt)}`].filter(Boolean).join(" · ")}
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
  const form = useForm({ name: device.name }, async (values) => {
    await svc.patch("/user/devices/{id}", { path: { id: device.id }, body: values });
    onDone();
  });
  return (
    <Dialog title={`Rename ${device.name}`} onClose={onClose}>
      <Form form={form} submitLabel="Rename device" actions={<Button onClick={onClose}>Cancel</Button>}>
        <TextField form={form} name="name" label="Name" autoComplete="off" required />
      </Form>
    </Dialog>
  );
}
