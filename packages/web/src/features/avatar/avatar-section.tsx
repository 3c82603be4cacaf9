import { accept } from "@svc/core/avatar/accepted";
import { useQueryClient } from "@tanstack/react-query";
import {
  type ChangeEvent,
  type DragEvent,
  lazy,
  Suspense,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { Failure } from "../../ui/failure.tsx";
import { toast } from "../../ui/toast.tsx";
import { closePhoto, openPhoto, type Photo } from "./photo.ts";
import "./avatar.css";
import { messages } from "./messages.ts";

const CropDialog = lazy(() => import("./crop-dialog.tsx"));

/** Uploads and removes the user's picture. A file can be chosen, dropped or pasted, or taken with the camera of a phone. */
export function AvatarSection() {
  const { me } = useCurrentUser();
  const client = useQueryClient();
  const { photo, opening, failure, open, close } = usePhoto();
  const [over, setOver] = useState(false);
  const [removing, setRemoving] = useState(false);

  async function refresh(message: string): Promise<void> {
    // The user's picture is part of many lists.
    await client.invalidateQueries();
    toast(message);
  }

  const dropping = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      open(event.dataTransfer.files[0]);
    },
  };
  return (
    <section aria-labelledby="picture">
      <h2 id="picture">{messages.title}</h2>
      <Failure error={failure} />
      <div className="drop" data-over={over || undefined} {...dropping}>
        <Avatar id={me.id} name={me.name} picture={me} size={96} />
        <div className="drop-content">
          <div className="row">
            <Choosers opening={opening} onSelect={open} />
            {me.avatar !== "" && (
              <Button look="quiet" onClick={() => setRemoving(true)}>
                {messages.remove}
              </Button>
            )}
          </div>
          <p className="hint" role="status">
            {opening ? messages.opening : messages.hint}
          </p>
        </div>
      </div>
      {photo && (
        <Suspense>
          <CropDialog
            key={photo.url}
            photo={photo}
            onDone={async () => {
              close();
              await refresh(messages.updated);
            }}
            onClose={close}
          />
        </Suspense>
      )}
      {removing && (
        <ConfirmAction
          title={messages.removeQuestion}
          confirmLabel={messages.removeConfirm}
          action={() => svc.delete("/user/avatar")}
          onDone={() => {
            setRemoving(false);
            void refresh(messages.removed);
          }}
          onClose={() => setRemoving(false)}
        >
          <p>{messages.removeWarning}</p>
        </ConfirmAction>
      )}
    </section>
  );
}

/** The photo that the user is cropping. Opening another one, also by pasting it, replaces it. */
function usePhoto() {
  const [photo, setPhoto] = useState<Photo>();
  const [failure, setFailure] = useState<unknown>();
  const [opening, setOpening] = useState<AbortController>();
  const close = () => setPhoto(undefined);

  function open(file: File | undefined): void {
    if (!file) return;
    opening?.abort();
    const controller = new AbortController();
    setOpening(controller);
    setFailure(undefined);
    close();
    const current = () => !controller.signal.aborted;
    void openPhoto(file, controller.signal)
      .then(
        (opened) => (current() ? setPhoto(opened) : closePhoto(opened)),
        (problem) => current() && setFailure(problem),
      )
      .finally(() => current() && setOpening(undefined));
  }

  const paste = useEffectEvent((event: ClipboardEvent) => open(event.clipboardData?.files[0]));
  useEffect(() => {
    document.addEventListener("paste", paste);
    return () => document.removeEventListener("paste", paste);
  }, []);
  useEffect(() => () => opening?.abort(), [opening]);
  useEffect(() => () => photo && closePhoto(photo), [photo]);
  return { photo, opening: opening !== undefined, failure, open, close };
}

/** Buttons that open the file dialog and, on phones, the camera. */
function Choosers({ opening, onSelect }: { opening: boolean; onSelect: (file: File | undefined) => void }) {
  const file = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const [onPhone] = useState(() => matchMedia("(pointer: coarse)").matches);
  function onChange({ target }: ChangeEvent<HTMLInputElement>): void {
    onSelect(target.files?.[0]);
    // Lets the user select the same file again.
    target.value = "";
  }
  return (
    <>
      <Button busy={opening} onClick={() => file.current?.click()}>
        {messages.choose}
      </Button>
      {/* iOS converts HEIC photos to JPEG if only JPEG is accepted. */}
      <input
        ref={file}
        type="file"
        aria-label={messages.title}
        hidden
        accept={onPhone ? accept : `${accept}, image/heic, image/heif, .heic, .heif`}
        onChange={onChange}
      />
      {onPhone && (
        <>
          <Button onClick={() => camera.current?.click()}>{messages.takePhoto}</Button>
          <input
            ref={camera}
            type="file"
            aria-label={messages.camera}
            hidden
            accept="image/*"
            capture="user"
            onChange={onChange}
          />
        </>
      )}
    </>
  );
}
