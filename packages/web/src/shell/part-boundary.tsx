import { Component, type ReactNode } from "react";
import { checkRelease, checkServer, serverStatus, subscribeToServer } from "../base/server-status.ts";
import { Button } from "../ui/button.tsx";
import { messages } from "./messages.ts";

/** A part of the client that could not be loaded: the server is away, or a new release has replaced it. */
class LoadError extends Error {}

/** Loads a part of the client for `lazy`. When that fails, finds out why. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (cause) {
    if (await checkServer()) await checkRelease();
    throw new LoadError(messages.pageNotLoaded, { cause });
  }
}

/**
 * Shows the failure of a part in its place, so that the frame around it stays. Browsers remember that a script failed to load,
 * so trying again reloads the whole page, but only when the server responds.
 */
export class PartBoundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};
  private unsubscribe = () => {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidMount() {
    this.unsubscribe = subscribeToServer(() => {
      if (serverStatus() === "here" && this.state.error instanceof LoadError && !isTyping())
        location.reload();
    });
  }

  override componentWillUnmount() {
    this.unsubscribe();
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <div role="alert" className="state">
        <p className="state-title">
          {error instanceof LoadError ? messages.pageNotLoaded : messages.pageFailed}
        </p>
        <Button onClick={() => void tryAgain()}>{messages.tryAgain}</Button>
      </div>
    );
  }
}

async function tryAgain(): Promise<void> {
  if (await checkServer()) location.reload();
}

/** Tells whether the user is in a field of the frame, whose text a reload would drop. */
function isTyping(): boolean {
  return document.activeElement?.matches("input, textarea, [contenteditable]") ?? false;
}
