import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/ui.css";
import "./styles/frame.css";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { watchAnalytics } from "./consent/analytics.ts";
import { guard } from "./consent/choice.ts";
import { remember } from "./cookies.ts";

// Before anything is drawn: what was refused is gone, and Google's defaults are denied.
guard();
watchAnalytics();
remember("svc_language", document.documentElement.lang);

const root = document.getElementById("root");
if (root) createRoot(root).render(<App />);
