import type { Profile } from "@svc/client";
import type { Part } from "../../base/versions.ts";

/** The parts of a profile that people compare. */
export const profileParts: Part<Profile>[] = [
  { label: "Name", names: ["name"], show: ({ name }) => name },
  { label: "Title", names: ["title"], show: ({ title }) => title },
  { label: "Phone", names: ["phone"], show: ({ phone }) => phone },
  { label: "Number and date language", names: ["locale"], show: ({ locale }) => locale },
  { label: "Time zone", names: ["timezone"], show: ({ timezone }) => timezone.replaceAll("_", " ") },
  { label: "Date format", names: ["dateFormat"], show: ({ dateFormat }) => dateFormat },
];
