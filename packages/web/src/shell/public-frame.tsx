import type { ReactNode } from "react";
import { WordMark } from "../ui/brand.tsx";
import { Footer } from "./footer.tsx";

/** The frame of the pages that need no sign-in. */
export function PublicFrame({ children }: { children: ReactNode }) {
  return (
    <div className="public-frame">
      <header className="public-head">
        <a href="/" className="brand">
          <WordMark />
        </a>
      </header>
      <main className="public-main">{children}</main>
      <Footer />
    </div>
  );
}
