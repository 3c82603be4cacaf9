import { accept } from "@svc/core/avatar/accepted";
import type { Uploaded } from "@svc/core/avatar/upload";
import { useQueryClient } from "@tanstack/react-query";
import { type DragEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { remove, upload } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Progress } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { draw, open, type Photo, toSend } from "./photo.ts";

/** The person's picture: chosen, dropped or pasted, looked at as it will be cut, sent, and removed again. */
export function AvatarSection() {
  const { me } = useCurrentUser();
  const client = useQueryClient();
  const [photo, setPhoto] = useState<Photo>();
  const [failure, setFailure] = useState<unknown>();
  const [over, setOver] = useState(false);
  const [removing, setRemoving] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);

  async function take(file: File | undefined): Promise<void> {
    if (!file) return;
    setFailure(undefined);
    setPhoto(undefined);
    await open(file).then(setPhoto, setFailure);
  }

  async function shown(words: string): Promise<void> {
    await Promise.all([
      client.invalidateQueries({ queryKey: ["me"] }),
      client.invalidateQueries({ queryKey: ["members"] }),
    ]);
    toast(words);
  }

  const paste = useEffectEvent((event: ClipboardEvent) => void take(event.clipboardData?.files[0]));
  useEffect(() => {
    document.addEventListener("paste", paste);
    return () => document.removeEventListener("paste", paste);
  }, []);
  useEffect(() => () => photo?.bitmap.close(), [photo]);

  const dropping = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      void take(event.dataTransfer.files[0]);
    },
  };
  return (
    <section aria-labelledby="picture">
      <h2 id="picture">Picture</h2>
      <Failure error={failure} />
      <div className="drop" data-over={over || undefined} {...dropping}>
        {photo ? (
          <Preview
            photo={photo}
            onDone={async () => {
              setPhoto(undefined);
              await shown("This is your picture now.");
            }}
            onCancel={() => setPhoto(undefined)}
          />
        ) : (
          <>
            <Avatar id={me.id} name={me.name} src={me.avatar} size={96} />
            <div className="drop-what">
              <div className="row">
                <Button onClick={() => chooser.current?.click()}>Choose a picture</Button>
                {me.avatar !== "" && (
                  <Button look="quiet" onClick={() => setRemoving(true)}>
                    Remove
                  </Button>
                )}
              </div>
              <p className="hint">
                Or drop it here, or paste it. JPEG, PNG, WebP, GIF or AVIF; large photos are made smaller
                before they are sent.
              </p>
            </div>
          </>
        )}
        <input
          ref={chooser}
          type="file"
          aria-label="Picture"
          hidden
          accept={accept}
          onChange={({ target }) => {
            void take(target.files?.[0]);
            // The same file again is a choice again.
            target.value = "";
          }}
        />
      </div>
      {removing && (
        <ConfirmAction
          title="Remove your picture?"
          confirmLabel="Remove it"
          work={() => remove("/user/avatar")}
          onDone={() => {
            setRemoving(false);
            void shown("Your picture is removed.");
          }}
          onClose={() => setRemoving(false)}
        >
          <p>Others will see your initials instead.</p>
        </ConfirmAction>
      )}
    </section>
  );
}

function Preview({
  photo,
  onDone,
  onCancel,
}: {
  photo: Photo;
  onDone: () => Promise<void>;
  onCancel: () => void;
}) {
  const [share, setShare] = useState<number>();
  const [failure, setFailure] = useState<unknown>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const sending = useRef<AbortController>(undefined);
  const head = useRef<HTMLParagraphElement>(null);

  useEffect(() => {
    if (canvas.current) draw(photo.bitmap, canvas.current, 320);
    head.current?.focus();
  }, [photo]);
  useEffect(() => () => sending.current?.abort(), []);

  async function send(): Promise<void> {
    const controller = new AbortController();
    sending.current = controller;
    setFailure(undefined);
    setShare(0);
    try {
      const form = new FormData();
      form.append("avatar", await toSend(photo), "picture");
      await upload<Uploaded>("/api/upload/avatar", form, { onProgress: setShare, signal: controller.signal });
      await onDone();
    } catch (problem) {
      if (!controller.signal.aborted) setFailure(problem);
      setShare(undefined);
    }
  }

  const busy = share !== undefined;
  return (
    <>
      <canvas ref={canvas} role="img" aria-label="Preview of the picture, cut to its middle" />
      <div className="drop-what">
        <p ref={head} tabIndex={-1}>
          This is how others will see it.
        </p>
        {photo.oversized && <p className="hint">The photo is over the limit, so it is sent smaller.</p>}
        <Failure error={failure} />
        {busy && (
          // All of it is out: what takes time now is the server's work.
          <Progress
            label={share < 1 ? "Sending" : "Preparing your picture…"}
            share={share < 1 ? share : undefined}
          />
        )}
        <div className="row">
          <Button look="primary" busy={busy} onClick={() => void send()}>
            {failure ? "Try again" : "Use this picture"}
          </Button>
          <Button onClick={() => (busy ? sending.current?.abort() : onCancel())}>
            {busy ? "Stop" : "Cancel"}
          </Button>
        </div>
      </div>
    </>
  );
}
