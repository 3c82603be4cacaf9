import { api } from "../http/api.ts";
import document from "./document.json" with { type: "json" };

/** The OpenAPI document of this very release. */
export const handler = api({ summary: "This document", returns: { 200: null } }).handler(
  async () => document,
);
