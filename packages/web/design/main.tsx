import "@fontsource-variable/inter/wght.css";
import "../src/ui/tokens.css";
import "../src/ui/base.css";
import "../src/ui/ui.css";
import "./design.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { queryClient } from "../src/base/query-client.ts";
import { applyStoredTheme } from "../src/base/theme.ts";
import { ThemeMenu } from "../src/shell/theme-menu.tsx";
import { Page } from "../src/ui/page.tsx";
import { Toasts } from "../src/ui/toast.tsx";
import { Actions } from "./actions.tsx";
import { Data, States, Tokens } from "./data.tsx";
import { Fields } from "./fields.tsx";
import { forceStates } from "./forced-states.ts";
import { ignoreBlur, Overlay, Overlays } from "./overlays.tsx";

applyStoredTheme();
forceStates();

/** The overlay that this document shows in a frame of the page. */
const opened = new URLSearchParams(location.search).get("open");
if (opened) ignoreBlur();

/** Every component of ui/ in its states. Only for development and the visual tests: no build of the client contains it. */
function Design() {
  return (
    <QueryClientProvider client={queryClient}>
      <main className="design">
        {opened ? (
          <Overlay name={opened} />
        ) : (
          <Page title="Design" hint="Components and their states" actions={<ThemeMenu />}>
            <Tokens />
            <Actions />
            <Fields />
            <Data />
            <States />
            <Overlays />
          </Page>
        )}
      </main>
      <Toasts />
    </QueryClientProvider>
  );
}

const root = document.getElementById("root");
if (root) createRoot(root).render(<Design />);
