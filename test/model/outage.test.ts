import { expect, test } from "vitest";
import { causeOfSilence } from "../../src/model/outage.ts";

const own = "TLS failed: the certificate is of an authority that is not known";

test("an outage has the cause that most requests had, though a rarer one is shorter", () => {
  const skipped = `${own} (not requested: an earlier request to this host failed in the same way)`;
  const failures = ["TLS failed: the certificate has expired", own, skipped, own].map((says) => ({
    kind: "tls",
    says,
  }));
  expect(causeOfSilence(failures)).toBe(own);
});
