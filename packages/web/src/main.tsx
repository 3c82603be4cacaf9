import "@fontsource-variable/inter/wght.css";
import "./ui/tokens.css";
import "./ui/base.css";
import "./ui/ui.css";
import "./ui/print.css";
import "./shell/frame.css";
import { createRoot } from "react-dom/client";
import { enforceConsent } from "./base/consent.ts";
import { setCookie } from "./base/cookies.ts";
import { watchPictures } from "./base/picture-cache.ts";
import { watchServer } from "./base/server-status.ts";
import { applyStoredTheme } from "./base/theme.ts";
import { watchAnalytics } from "./features/consent/analytics.ts";
import { App } from "./shell/app.tsx";

// Must run before the first render, so that refused cookies are deleted and Google's defaults are denied.
enforceConsent();
watchAnalytics();
watchPictures();
applyStoredTheme();
watchServer();
setCookie("svc_language", document.documentElement.lang);

const root = document.getElementById("root");
if (root) createRoot(root).render(<App />);
