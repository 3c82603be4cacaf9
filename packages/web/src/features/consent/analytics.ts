import { choiceDays } from "@svc/core/consent/policy";
import { allowed, subscribe } from "../../base/consent.ts";

declare const __ANALYTICS_ID__: string;

type Google = typeof globalThis & { dataLayer?: unknown[] } & Record<`ga-disable-${string}`, boolean>;

let loaded = false;

/**
 * Runs Google's Consent Mode v2: everything is denied by default and updated with each choice. The script is loaded only after
 * the visitor has allowed analytics, and only when a property id is configured.
 */
export function watchAnalytics(id: string = __ANALYTICS_ID__): void {
  if (id === "") return;
  const google = globalThis as Google;
  google.dataLayer ??= [];
  // Google's script expects the `arguments` object and ignores arrays.
  const gtag: (...values: unknown[]) => void = function () {
    // biome-ignore lint/complexity/noArguments: see above.
    google.dataLayer?.push(arguments);
  };
  gtag("consent", "default", { ...states(false, false), wait_for_update: 500 });
  const update = () => {
    const analytics = allowed("analytics");
    google[`ga-disable-${id}`] = !analytics;
    gtag("consent", "update", states(analytics, allowed("marketing")));
    if (!analytics || loaded) return;
    loaded = true;
    gtag("js", new Date());
    gtag("config", id, {
      cookie_expires: choiceDays * 86_400,
      cookie_flags: location.protocol === "https:" ? "SameSite=Lax;Secure" : "SameSite=Lax",
    });
    const script = document.createElement("script");
    script.async = true;
    script.src = `https://www.googletagmanager.com/gtag/js?id=${encodeURIComponent(id)}`;
    document.head.append(script);
  };
  update();
  subscribe(update);
}

function states(analytics: boolean, marketing: boolean) {
  const state = (granted: boolean) => (granted ? "granted" : "denied");
  return {
    ad_storage: state(marketing),
    ad_user_data: state(marketing),
    ad_personalization: state(marketing),
    analytics_storage: state(analytics),
  };
}
