/** What the router in front of the API sets: its secret, and the address that it was called from. */
export const secretHeader = "x-origin-secret";
export const viewerIpHeader = "x-viewer-ip";
