import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { blockedPorts, listen } from "./ports.ts";

describe("blockedPorts", () => {
  test("has 82 ports, all of which fetch refuses", async () => {
    expect(new Set(blockedPorts).size).toBe(82);
    for (const port of blockedPorts)
      await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toMatchObject({
        cause: { message: "bad port" },
      });
  });
});

describe("listen", () => {
  test.each([
    ["PORT", 4190],
    ["SVC_TOOLS_PORT", 6665],
  ] as const)("names %s when browsers block the port", async (name, port) => {
    await expect(listen({ name, port }, () => {})).rejects.toMatchObject({
      code: "port_unusable",
      message: `Port ${port} is blocked by browsers. Set ${name} to another port.`,
    });
  });

  test("names the variable when the port is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    await expect(listen({ name: "SVC_TOOLS_PORT", port }, () => {})).rejects.toMatchObject({
      code: "port_unusable",
      message: `Port ${port} is already in use. Set SVC_TOOLS_PORT to another port.`,
    });
    other.close();
  });
});
