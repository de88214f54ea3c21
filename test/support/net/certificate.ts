import { createPrivateKey, X509Certificate } from "node:crypto";

const der = (base64: string) => Buffer.from(base64, "base64");

/** A self-signed certificate for hooks.example, valid 2020 to 2120, for tests only. */
export const cert = new X509Certificate(
  der(
    "MIIBXDCCAQGgAwIBAgIBATAKBggqhkjOPQQDAjAPMQ0wCwYDVQQDDAR0ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAPMQ0w" +
      "CwYDVQQDDAR0ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAExrpeDFw1aW4YYfyIYszf3blqQ9uuZIqVkvr9Iw5OfGZEWzY8kWYAwTTjbFnl" +
      "Zf5M1pEwTRvvsz2MQKL1scfc5qNMMEowGAYDVR0RBBEwD4INaG9va3MuZXhhbXBsZTAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBQbC59TbGL7" +
      "Xr2cy/yVBgB5WIauLTAKBggqhkjOPQQDAgNJADBGAiEApu0O1NLjiTccOFOAyKS7kCCoDOs/VgJFwyPwfOvvoJcCIQDsAv97ouuMnz5eDVxGzCyU" +
      "l+9e8a/4ho3c+E7hcHMBIA==",
  ),
).toString();

export const key = createPrivateKey({
  format: "der",
  type: "pkcs8",
  key: der(
    "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgOLJUSXq2q8k1EzfIX306Q56kSjT60++n0katSL3gigOhRANCAATGul4MXDVpbhhh" +
      "/IhizN/duWpD265kipWS+v0jDk58ZkRbNjyRZgDBNONsWeVl/kzWkTBNG++zPYxAovWxx9zm",
  ),
}).export({ format: "pem", type: "pkcs8" });
