import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A key with a certificate, both in PEM. */
export interface Pair {
  readonly key: string;
  readonly cert: string;
}

export interface Certificates {
  /** The authority's own, for NODE_EXTRA_CA_CERTS. */
  readonly authority: string;
  readonly good: Pair;
  /** From no known authority. */
  readonly self: Pair;
  /** For another name. */
  readonly other: Pair;
}

/** Makes them in a folder with `openssl`; undefined without it: then no source uses TLS, and no fault is about TLS. */
export function makeCertificates(folder: string, domain: string): Certificates | undefined {
  const at = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync("openssl", args, { stdio: "pipe", cwd: folder });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const own = (name: string, subject: string, ...more: string[]) =>
    openssl("req", "-x509", ...key, "-keyout", at(`${name}.key`), "-out", at(`${name}.pem`), "-subj", subject, ...more);
  const signed = (name: string, names: string, ...more: string[]) => {
    openssl("req", ...key, "-keyout", at(`${name}.key`), "-out", at(`${name}.csr`), "-subj", "/CN=chaos");
    writeFileSync(at(`${name}.ext`), `subjectAltName=${names}\n`);
    const from = [
      "-in",
      at(`${name}.csr`),
      "-CA",
      at("authority.pem"),
      "-CAkey",
      at("authority.key"),
      "-CAcreateserial",
    ];
    openssl("x509", "-req", ...from, "-out", at(`${name}.pem`), "-extfile", at(`${name}.ext`), ...more);
  };
  const pair = (name: string): Pair => ({
    key: readFileSync(at(`${name}.key`), "utf8"),
    cert: readFileSync(at(`${name}.pem`), "utf8"),
  });
  try {
    own("authority", "/CN=Chaos", "-days", "3650");
    signed("good", `DNS:*.${domain}`, "-days", "3650");
    signed("other", "DNS:elsewhere.example", "-days", "3650");
    own("self", "/CN=chaos", "-addext", `subjectAltName=DNS:*.${domain}`, "-days", "3650");
  } catch {
    return undefined;
  }
  return { authority: at("authority.pem"), good: pair("good"), self: pair("self"), other: pair("other") };
}
