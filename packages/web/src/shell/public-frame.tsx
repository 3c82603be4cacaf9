import type { ReactNode } from "react";
import { Pitch } from "../features/identity/pitch.tsx";
import { WordMark } from "../ui/brand.tsx";
import { Footer } from "./footer.tsx";
import "./public-frame.css";
import { messages } from "./messages.ts";

/** The frame of the pages that need no sign-in, which says beside the page what the product is. */
export function PublicFrame({ children }: { children: ReactNode }) {
  return (
    <div className="public-frame">
      <aside className="public-aside" aria-label={messages.about}>
        <Brand />
        <Pitch />
      </aside>
      <div className="public-side">
        <header className="public-head">
          <Brand />
        </header>
        <main className="public-main">{children}</main>
        <Footer />
      </div>
    </div>
  );
}

function Brand() {
  return (
    <a href="/" className="brand">
      <WordMark />
    </a>
  );
}
