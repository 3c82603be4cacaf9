import "./ui/tokens.css";
import "./ui/base.css";
import "./ui/ui.css";
import "./shell/frame.css";
import { createRoot } from "react-dom/client";
import { guard } from "./base/consent.ts";
import { setCookie } from "./base/cookies.ts";
import { watchAnalytics } from "./features/consent/analytics.ts";
import { App } from "./shell/app.tsx";

// Before anything is drawn: what was refused is gone, and Google's defaults are denied.
guard();
watchAnalytics();
setCookie("svc_language", document.documentElement.lang);

const root = document.getElementById("root");
if (root) createRoot(root).render(<App />);
