import "./dialog.css";
import { X } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Dialog as Content } from "react-aria-components/Dialog";
import { Heading } from "react-aria-components/Heading";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { Button } from "./button.tsx";
import { messages } from "./messages.ts";
import { UnsavedContext, useBackButton, useUnsavedForms, useWarnBeforeUnload } from "./unsaved.ts";

/**
 * A modal dialog. It is open while mounted, keeps the focus inside, and returns it when closed. Escape, the close button and a
 * click beside it call `onClose`, which must unmount it. If a form inside has unsaved changes, the user is asked first, and a
 * reload of the page warns.
 */
export function Dialog({
  title,
  onClose,
  discardable = false,
  children,
}: {
  title: string;
  onClose: () => void;
  /** The input may be dropped without a question, such as a password. */
  discardable?: boolean;
  children: ReactNode;
}) {
  const forms = useUnsavedForms();
  const [asking, setAsking] = useState(false);
  const isUnsaved = () => forms.size > 0 && !discardable;
  useWarnBeforeUnload(isUnsaved);
  const close = () => (isUnsaved() ? setAsking(true) : onClose());
  return (
    <Frame title={title} onDismiss={close} closable>
      <UnsavedContext value={forms}>{children}</UnsavedContext>
      {asking && (
        <Frame title={messages.discard.question} role="alertdialog" onDismiss={() => setAsking(false)}>
          <p>{messages.discard.warning}</p>
          <div className="dialog-actions">
            <Button look="danger" onClick={onClose}>
              {messages.discard.confirm}
            </Button>
            <Button look="primary" onClick={() => setAsking(false)}>
              {messages.discard.keep}
            </Button>
          </div>
        </Frame>
      )}
    </Frame>
  );
}

/**
 * A modal dialog with a secret that is shown only once. Only its button closes it, and a reload of the page warns. Escape, a
 * click beside it and the Back button say so.
 */
export function SecretDialog({
  title,
  savedLabel = messages.secretSaved,
  onSaved,
  children,
}: {
  title: string;
  /** The label of the button that closes the dialog. */
  savedLabel?: string;
  onSaved: () => void;
  children: ReactNode;
}) {
  const [reminded, setReminded] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useWarnBeforeUnload(() => true);
  const remind = () => {
    setReminded(true);
    button.current?.focus();
  };
  useBackButton(remind);
  return (
    <Frame title={title} onDismiss={remind}>
      {children}
      <p role="status" className="hint">
        {reminded && messages.secretReminder(savedLabel)}
      </p>
      <div className="dialog-actions">
        <Button ref={button} look="primary" onClick={onSaved}>
          {savedLabel}
        </Button>
      </div>
    </Frame>
  );
}

function Frame({
  title,
  role = "dialog",
  onDismiss,
  closable = false,
  children,
}: {
  title: string;
  role?: "dialog" | "alertdialog";
  /** Called for Escape, a click beside the dialog and the close button. */
  onDismiss: () => void;
  /** Shows a close button. */
  closable?: boolean;
  children: ReactNode;
}) {
  const content = useRef<HTMLElement>(null);
  const [before] = useState(() => document.activeElement as HTMLElement | null);
  useEffect(() => {
    // The first field of a form is where the user continues. Otherwise the focus is on the dialog itself.
    content.current?.querySelector<HTMLElement>("form input, form select, form textarea")?.focus();
    return () => {
      // React Aria returns the focus in the next frame. Where it does not, as after a file dialog, the page would have none.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          if (document.activeElement === document.body && before?.isConnected) before.focus();
        }),
      );
    };
  }, [before]);
  return (
    <ModalOverlay
      className="dialog-backdrop"
      isOpen
      isDismissable
      onOpenChange={onDismiss}
      // A list of a field inside may close before the click that chose from it has ended.
      shouldCloseOnInteractOutside={(element) => element.closest(".toasts, .server-banner, .menu") === null}
    >
      <Modal className="dialog">
        <Content ref={content} role={role} className="dialog-content">
          <header className="dialog-head">
            <Heading slot="title">{title}</Heading>
            {closable && (
              <Button look="quiet" data-icon="" aria-label={messages.close} onClick={onDismiss}>
                <X />
              </Button>
            )}
          </header>
          {children}
        </Content>
      </Modal>
    </ModalOverlay>
  );
}
