import { api } from "../http/api.ts";
import document from "./document.json" with { type: "json" };

/** Returns the OpenAPI document of the deployed release. */
export const handler = api({ summary: "Get the OpenAPI document", returns: { 200: null } }).handler(
  async () => document,
);
