// Signatures, which the browser verifies.

import { isSound } from "./canonical.js";
import { hex } from "./sha256.js";

// True, false, or null if the browser cannot verify it: it has no Ed25519, or the page is not a secure context.
export async function isSigned(publicKey, message, signature) {
  if (!isSound(hex(publicKey))) return false;
  if (!globalThis.crypto?.subtle) return null;
  try {
    const key = await crypto.subtle.importKey("raw", publicKey, { name: "Ed25519" }, false, ["verify"]);
    return await crypto.subtle.verify({ name: "Ed25519" }, key, signature, message);
  } catch (error) { return error.name === "NotSupportedError" ? null : false; }
}
