import { choiceDays } from "@svc/core/consent/policy";
import { allowed, subscribe } from "../../base/consent.ts";

declare const __ANALYTICS_ID__: string;

type Google = typeof globalThis & { dataLayer?: unknown[] } & Record<`ga-disable-${string}`, boolean>;

let loaded = false;

/**
 * Google's Consent Mode, version 2: everything denied by default, updated with each choice. The script itself is asked for
 * only once analytics are allowed, and only where a property is configured.
 */
export function watchAnalytics(id: string = __ANALYTICS_ID__): void {
  if (id === "") return;
  const google = globalThis as Google;
  google.dataLayer ??= [];
  // Google reads the arguments object itself; an array would be passed over.
  const gtag: (...said: unknown[]) => void = function () {
    // biome-ignore lint/complexity/noArguments: as said.
    google.dataLayer?.push(arguments);
  };
  gtag("consent", "default", { ...states(false, false), wait_for_update: 500 });
  const follow = () => {
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
  follow();
  subscribe(follow);
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
