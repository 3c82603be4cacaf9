import type { ReactNode } from "react";
import { Footer } from "./footer.tsx";

/** Around pages that nobody has to be signed in for. */
export function PublicFrame({ children }: { children: ReactNode }) {
  return (
    <div className="open-frame">
      <header className="open-head">
        <a href="/" className="brand">
          svc
        </a>
      </header>
      <main className="open">{children}</main>
      <Footer />
    </div>
  );
}
