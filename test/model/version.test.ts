import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bumpOf, eventKey, type Product, parseVersion, type Version, versionCalled } from "../../src/model/version.ts";
import { recognise } from "../../src/watch/announced-version.ts";
import { anySign } from "../support/any-sign.ts";
import { expectTime } from "../support/expect-time.ts";
import { processorTime } from "../support/processor-time.ts";

const product = (told: Partial<Product> = {}): Product => ({
  id: "pytorch",
  name: "PyTorch",
  aliases: [],
  tags: [],
  renumbered: {},
  phantom: [],
  ...told,
});
const cuda = product({ id: "cuda", name: "CUDA", renumbered: { "13.4.1": "13.4" }, phantom: ["13.4.0"] });
const rocm = product({ id: "rocm", name: "ROCm", tags: ["rocm-{version}", "therock-{version}"] });
const macos = product({ id: "macos", name: "macOS", aliases: ["macOS Tahoe"] });

function must(text: string, of: Product = product()): Version {
  const version = parseVersion(text, of);
  if (version === undefined) throw new Error(`not a version: ${text}`);
  return version;
}

describe("parseVersion", () => {
  it.each([
    ["v2.13.0", "2.13.0", false],
    ["V2.13.0", "2.13.0", false],
    ["2.13", "2.13", false],
    [" 2.13.0 ", "2.13.0", false],
    ["v26", "26", false],
    ["2026.2", "2026.2", false],
    ["24.04", "24.04", false],
    ["2026.01.02-rc.01", "2026.01.02-rc1", true],
    ["2.12.0+cu126", "2.12.0", false],
    ["2.12.0+git06c5533", "2.12.0+git06c5533", true],
    ["2.12.0+g06c5533", "2.12.0+g06c5533", true],
    ["1.0.0+c30d7625", "1.0.0", false],
    ["2024a", "2024a", false],
    ["3.3a", "3.3a", false],
    ["12c", "12c", false],
    ["1.1.1w", "1.1.1w", false],
    ["9.0.0B", "9.0.0b", false],
    ["3.3a1", "3.3-alpha1", true],
    ["2.14.0-b", "2.14.0-beta", true],
    ["1.0a2.dev456", "1.0-alpha2.dev456", true],
    ["1.0b2.post345", "1.0-beta2.post345", true],
    ["1.0b2.post345.dev456", "1.0-beta2.post345.dev456", true],
    ["1.0.post456.dev34", "1.0.post456.dev34", true],
    ["1.0.0-next.3", "1.0.0-next3", true],
    ["1.0.0-experimental.1", "1.0.0-experimental1", true],
    ["2.39.0-r1", "2.39.0.post1", false],
    ["2.14.0a0+git06c5533", "2.14.0-alpha0+git06c5533", true],
    ["1!2.14.0", "2.14.0", false],
    ["v1!2.14.0rc1", "2.14.0-rc1", true],
    ["2.14.0-rc1", "2.14.0-rc1", true],
    ["2.14.0rc1", "2.14.0-rc1", true],
    ["2.14.0.rc.1", "2.14.0-rc1", true],
    ["2.14 Release Candidate 1", "2.14-rc1", true],
    ["2.14.0-M1", "2.14.0-milestone1", true],
    ["2.14.0.m2", "2.14.0-milestone2", true],
    ["2.14.0-milestone.3", "2.14.0-milestone3", true],
    ["2.14.0.CR1", "2.14.0-rc1", true],
    ["2.14.0-eap-13", "2.14.0-preview13", true],
    ["2.14.0a0", "2.14.0-alpha0", true],
    ["2.14.0b2", "2.14.0-beta2", true],
    ["2.14.0.dev2026", "2.14.0-dev2026", true],
    ["2.14.0.dev20261120+cpu", "2.14.0-dev20261120", true],
    ["v10.0.0-preview.3.25171.5", "10.0.0-preview3", true],
    ["10.0.0-rc.2.25502.107", "10.0.0-rc2", true],
    ["10.0.0-preview.3.25171.5+git06c5533", "10.0.0-preview3+git06c5533", true],
    ["2.0.0-beta.2.1", "2.0.0-beta2.1", true],
    ["2.14.0.post1", "2.14.0.post1", false],
    ["13.3 Update 1", "13.3.1", false],
    ["13.3.0 Update 2", "13.3.2", false],
    ["13.3 U1", "13.3.1", false],
    ["13.4.2 Developer Preview", "13.4.2-preview", true],
    ["26.7 beta 3", "26.7-beta3", true],
    ["26.6 (25G83)", "26.6", false],
    ["26.7 beta 3 (25H5042g)", "26.7-beta3", true],
    ["13.3.1 Update 2", "13.3.1.2", false],
    ["2.14.0.post", "2.14.0.post0", false],
    ["2.14.0.post1+git06c5533", "2.14.0+git06c5533", true],
    ["7.2.1 GA", "7.2.1", false],
    ["5.0.0.Final", "5.0.0", false],
    ["1.1.0+wasi-0.2.0", "1.1.0", false],
    ["1.1.0-rc.1+x86_64-linux", "1.1.0-rc1", true],
    ["9.4.53.v20231009", "9.4.53", false],
    ["9.6p1", "9.6.post1", false],
    ["6000.0.1f1", "6000.0.1.post1", false],
    ["2.4.7-p3", "2.4.7.post3", false],
    ["1.2.3-patch.2", "1.2.3.post2", false],
    ["1.2.3-hotfix", "1.2.3.post0", false],
  ])("reads %s as %s", (text, canonical, pre) => {
    expect(parseVersion(text, product())).toMatchObject({ text: canonical, pre });
  });

  it.each([
    "nightly-2026-11-20",
    "2026-11-20",
    "20261120",
    "ciflow/trunk/182552",
    "trunk/06c5533abc",
    "rocm-7.14.0",
    "2.x",
    "2.13.",
    "2.13.0-foo",
    "2.13.0-cuda13",
    "2.13.0 GA 2",
    "2.13.0 Update",
    "1.2.3.4 Update 1",
    "2.13.0rc1.more",
    "2.13.0+",
    "9".repeat(200),
    "1.2.3.4.5.6.7.8.9",
    "12345678901.2",
    "2.13 a new era",
    "2.5x",
    "2.13.0m2",
    "2.13 m2",
    "2.13.0-M",
    "2.13.0 patch 1",
    "8_10_0",
    "7.1.1-28",
    "9.4.53.v1",
    "1!",
    "12345!2.0",
    "",
    "latest",
    "v",
    "-1.2",
  ])("takes %j for no version", (text) => {
    expect(parseVersion(text, product())).toBeUndefined();
  });

  it("reads a product's own tag shapes, and takes other tags for none", () => {
    expect(parseVersion("rocm-7.14.0", rocm)?.parts).toEqual([7, 14, 0]);
    expect(parseVersion("therock-10.0", rocm)?.parts).toEqual([10, 0]);
    expect(parseVersion("10.0.0", rocm)?.parts).toEqual([10, 0, 0]);
    expect(parseVersion("rocm-7.14.0rc2", rocm)?.pre).toBe(true);
    for (const tag of ["v7.14.0", "hip-7.14.0", "therock-nightly-20261120", "rocm-", "therock-7.14-docs"])
      expect(parseVersion(tag, rocm), tag).toBeUndefined();
    const after = product({ tags: ["release/{version}-final"] });
    expect(parseVersion("release/1.4-final", after)?.text).toBe("1.4");
    expect(parseVersion("release/1.4", after)).toBeUndefined();
  });

  it.each([
    ["b{version}", "b9999", "9999", [9999]],
    ["b{version}", "b10000", "10000", [10_000]],
    ["curl-{version}", "curl-8_10_0", "8.10.0", [8, 10, 0]],
    ["REL_{version}", "REL_16_3", "16.3", [16, 3]],
    ["boost-{version}", "boost-1_85_0_rc1", "1.85.0-rc1", [1, 85, 0]],
    ["{version}", "7.1.1-28", "7.1.1-28", [7, 1, 1, 28]],
    ["release-{version}", "release-74-2", "74-2", [74, 2]],
    ["{version}", "2024-07-26", "2024-07-26", [2024, 7, 26]],
    ["{version}", "20240726", "20240726", [20_240_726]],
    ["RELEASE.{version}", "RELEASE.2024-07-26T20-48-21Z", "2024-07-26T20-48-21Z", [2024, 7, 26, 20, 48, 21]],
  ])("reads by the shape %s that %s is %s, and that again", (shape, tag, text, parts) => {
    const own = product({ tags: [shape] });
    const version = must(tag, own);
    expect(version).toEqual({ text, parts, pre: text.includes("rc") });
    expect(versionCalled(text)).toEqual(version);
    expect(eventKey(own, version)).toBe(eventKey(own, versionCalled(version.text) ?? must("0")));
  });

  it.each(["12.5-20240513", "1.0.0-0.3.7", "2024-7-26-1-2", "8__10", "1-", "_8"])(
    "takes %s for none, in any shape",
    (tag) => {
      expect(parseVersion(tag, product({ tags: ["{version}"] }))).toBeUndefined();
    },
  );

  it("knows builds by one number as phantoms and by other numbers", () => {
    const own = product({ tags: ["b{version}"], phantom: ["10001"], renumbered: { "10002": "10003" } });
    expect(parseVersion("b10001", own)).toBeUndefined();
    expect(parseVersion("b10002", own)?.text).toBe("10003");
  });

  it("reads a shape that begins with the version, beside versions without any", () => {
    const guava = product({ tags: ["{version}-jre"] });
    expect(parseVersion("33.5.0-jre", guava)).toMatchObject({ text: "33.5.0", pre: false });
    expect(parseVersion("33.5.0-rc1-jre", guava)).toMatchObject({ text: "33.5.0-rc1", pre: true });
    expect(parseVersion("33.5.0", guava)?.text).toBe("33.5.0");
    for (const tag of ["33.5.0-android", "v33.5.0", "-jre", "jre"])
      expect(parseVersion(tag, guava), tag).toBeUndefined();
    const images = product({ tags: ["{version}", "{version}-cuda12.8-cudnn9-runtime"] });
    expect(parseVersion("2.13.0-cuda12.8-cudnn9-runtime", images)?.text).toBe("2.13.0");
    expect(parseVersion("2.13.0-cuda12.8-cudnn9-devel", images)).toBeUndefined();
    expect(parseVersion("2.13.0rc1", images)?.pre).toBe(true);
    expect(recognise("33.5.0-jre", guava)?.text).toBe("33.5.0");
  });

  it("knows which names a version has since, and which were never versions", () => {
    expect(eventKey(cuda, must("13.4.1", cuda))).toBe("cuda 13.4.0");
    expect(eventKey(cuda, must("13.4", cuda))).toBe("cuda 13.4.0");
    expect(parseVersion("13.4.0", cuda)).toBeUndefined();
    const mistaken = product({ phantom: ["7.13"] });
    expect(parseVersion("7.13.0", mistaken)).toBeUndefined();
    expect(parseVersion("7.13.1", mistaken)).toBeDefined();
    expect(parseVersion("7.13.0rc1", mistaken)).toBeDefined();
  });
});

describe("eventKey", () => {
  it("pads to three parts, cuts to as many as count, keeps suffixes", () => {
    expect(eventKey(product(), must("v2.13"))).toBe("pytorch 2.13.0");
    expect(eventKey(product(), must("2.13.0.0"))).toBe("pytorch 2.13.0");
    expect(eventKey(product(), must("24.04rc1"))).toBe("pytorch 24.4.0-rc1");
    expect(eventKey(product(), must("24.4rc1"))).toBe("pytorch 24.4.0-rc1");
    expect(eventKey(product(), must("2.14.0rc1"))).toBe("pytorch 2.14.0-rc1");
    expect(eventKey(product(), must("2.14.post1"))).toBe("pytorch 2.14.0.post1");
    expect(eventKey(product({ parts: 2 }), must("13.0.1"))).toBe("pytorch 13.0.0");
    expect(eventKey(product({ parts: 2 }), must("13.0"))).toBe("pytorch 13.0.0");
    expect(eventKey(product(), must("1.2.3.4"))).toBe("pytorch 1.2.3.4");
  });
});

describe("bumpOf", () => {
  it.each([
    ["2.13.0", ["2.12.0", "2.12.1"], "minor"],
    ["2.12.1", ["2.12.0", "2.11.0"], "patch"],
    ["3.0", ["2.13.0"], "major"],
    ["10.0", ["7.2.2", "7.14.0"], "major"],
    ["7.14.0", ["7.2.2"], "minor"],
    ["6.1.5", ["6.3.3", "6.3.0"], "patch"],
    ["6.1.5", ["6.3.3", "6.1.4"], "patch"],
    ["6.1.5", ["6.3.3", "6.0.2"], "patch"],
    ["6.1.5", ["7.0.0", "5.7.0"], "patch"],
    ["2.14.0rc1", ["2.13.0"], "minor"],
    ["2.14.0", ["2.13.0", "2.14.0rc1"], "minor"],
    ["2026.2", ["2026.1", "2025.5"], "minor"],
    ["2.0.0", [], "major"],
    ["2.1.0", [], "minor"],
    ["2.1.1", [], "patch"],
    ["2.13", ["2.13.0", "2.12.0"], "minor"],
    ["2.13.0.post1", ["2.12.0", "2.13.0"], "patch"],
    ["2.13.0.post2", ["2.12.0", "2.13.0.post1"], "patch"],
    ["2.12.0.post1", ["2.12.0", "2.13.0"], "patch"],
    ["3.0.post1", ["2.12.0", "3.0.0"], "patch"],
    ["2.13.0.post1", ["2.12.0"], "minor"],
    ["2.13.0.post1", ["2.12.0", "2.13.0rc1"], "minor"],
    ["1.1.1w", ["1.1.1v", "1.1.0a"], "patch"],
    ["2024b", ["2024a", "2023d"], "patch"],
    ["2024a", ["2023d"], "major"],
  ])("%s after %j is %s", (text, known, bump) => {
    expect(
      bumpOf(
        must(text),
        known.map((other) => must(other)),
      ),
    ).toBe(bump);
  });
});

describe("recognise", () => {
  const toolkit = product({ id: "cuda", name: "CUDA" });
  it.each([
    ["PyTorch 2.13 Release Blog", product(), "2.13"],
    ["PyTorch 2.13.0 Release, bug fix release", product(), "2.13.0"],
    ["Announcing the PyTorch v2.13.1 release", product(), "2.13.1"],
    ["What’s new in PyTorch 2.12?", product(), "2.12"],
    ["PyTorch documentation — PyTorch 2.13 documentation", product(), "2.13"],
    ["pytorch 2.13 is now available", product(), "2.13"],
    ["PyTorch 2.14 Release Candidate 1", product(), "2.14-rc1"],
    ["PyTorch 2.14 (beta)", product(), "2.14-beta"],
    ["PyTorch 2.13.0", product(), "2.13.0"],
    ["PyTorch 2.13 (default)", product(), "2.13"],
    ["CUDA Toolkit 13.3 Update 1 - Release Notes", toolkit, "13.3.1"],
    ["NVIDIA CUDA 13.3 Features Revealed", toolkit, "13.3"],
    ["ROCm Core SDK 10.0.0 release notes", rocm, "10.0.0"],
    ["Release notes for AMD ROCm 7.14.0", rocm, "7.14.0"],
    ["therock-10.0", rocm, "10.0"],
    ["macOS 26.6 (25G83)", macos, "26.6"],
    ["macOS 26.7 beta 3 (25H5042g)", macos, "26.7-beta3"],
    ["macOS Tahoe 26.6", macos, "26.6"],
    ["CUDA Toolkit 13.4.1", cuda, "13.4"],
    ["NVIDIA® CUDA® Toolkit 13.3 Release Notes", toolkit, "13.3"],
    ["🚀 PyTorch 2.13 is here 🎉", product(), "2.13"],
    ["[ANNOUNCE] PyTorch 2.13.1 released", product(), "2.13.1"],
    ["pytorch-2.13.1 released", product(), "2.13.1"],
    ["pytorch@2.13.1", product(), "2.13.1"],
    ["PyTorch 2.13.1 security release", product(), "2.13.1"],
    ["PyTorch 2.13.1, a bugfix release", product(), "2.13.1"],
    ["PyTorch 2.13: bug fixes and more", product(), "2.13"],
    ["PyTorch 2.13 released: deprecated functions are gone", product(), "2.13"],
    ["PyTorch 2.13 has been released with a beta of the new compiler", product(), "2.13"],
    ["PyTorch 2.13 is now generally available", product(), "2.13"],
  ])("sees in %j its version", (title, of, text) => {
    expect(recognise(title, of)?.text).toBe(text);
  });

  it.each([
    "Running PyTorch 2 models on phones",
    "PyTorch 2",
    "What's new since PyTorch 2.12",
    "PyTorch 2.12 on Jetson",
    "PyTorch 2.13 vs 2.12",
    "Llama with PyTorch 2.12",
    "Accelerating PyTorch 2.12 inference",
    "AI in PyTorch 2.12",
    "Fast kernels (PyTorch 2.12)",
    "Stack: vLLM, PyTorch 2.12 and ROCm",
    "PyTorch Lightning 2.5 released",
    "PyTorch/XLA 2.9 released",
    "TorchPyTorch 2.9 released",
    "PyTorch 2.x release",
    "PyTorch Conference 2026",
    "Why we waited for PyTorch 2.13",
    "PyTorch 2.13 is coming soon",
    "PyTorch 2.13 release date announced",
    "PyTorch 2.13 release delayed to May",
    "PyTorch 2.13 is now in public beta",
    "PyTorch 2.13 available for testing",
    "PyTorch 2.13 has entered feature freeze",
    "PyTorch 2.13: what to expect",
    "PyTorch 2.13 – a sneak peek",
    "PyTorch 2.13 (upcoming)",
    "PyTorch 2.13 has been retracted",
    "PyTorch 1.13 is end-of-life",
    "PyTorch 1.13 is no longer supported",
    "PyTorch 1.13 has a critical vulnerability",
    "[RFC] PyTorch 2.13",
    "",
  ])("takes %j for no announcement", (title) => {
    expect(recognise(title, product())).toBeUndefined();
  });

  it("says of a preview that it is one", () => {
    expect(recognise("macOS 26.7 beta 3", macos)?.pre).toBe(true);
    expect(recognise("CUDA Toolkit 13.5.0 Developer Preview", cuda)?.pre).toBe(true);
    expect(recognise("CUDA Toolkit 13.4.0", cuda)).toBeUndefined();
  });
});

describe("any version", () => {
  const parts = fc.array(fc.nat(99_999), { minLength: 2, maxLength: 5 });
  const ending = fc.constantFrom(
    "",
    "rc1",
    "-rc.2",
    "a0",
    ".dev7",
    ".post3",
    " beta 3",
    "+git06c5533",
    " Developer Preview",
    "w",
    "a2.post3.dev4",
  );
  const text = fc.tuple(parts, ending).map(([p, e]) => p.join(".") + e);

  it("is read back from its canonical spelling", () => {
    fc.assert(
      fc.property(text, (spelled) => {
        const version = must(spelled);
        expect(versionCalled(version.text)).toEqual(version);
      }),
    );
  });

  it("is one event, however many zeros end it", () => {
    fc.assert(
      fc.property(parts, fc.nat(3), (numbers, zeros) => {
        const more = [...numbers, ...Array<number>(Math.min(zeros, 8 - numbers.length)).fill(0)];
        expect(eventKey(product(), must(more.join(".")))).toBe(eventKey(product(), must(numbers.join("."))));
      }),
    );
  });

  it("is a different event if any of the first three parts differs", () => {
    const three = fc.tuple(fc.nat(99), fc.nat(99), fc.nat(99));
    fc.assert(
      fc.property(three, three, (a, b) => {
        const same = a.every((part, i) => part === b[i]);
        const key = (p: readonly number[]) => eventKey(product(), must(p.join(".")));
        expect(key(a) === key(b)).toBe(same);
      }),
    );
  });

  it("bumps the same, with the others in any order", () => {
    const known = fc.array(text, { maxLength: 8 });
    fc.assert(
      fc.property(text, known, fc.nat(), (spelled, others, turn) => {
        const set = others.map((other) => must(other));
        const by = set.length === 0 ? 0 : turn % set.length;
        const turned = [...set.slice(by), ...set.slice(0, by)].reverse();
        expect(bumpOf(must(spelled), turned)).toBe(bumpOf(must(spelled), set));
      }),
    );
  });

  it("never throws, for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: anySign }), (noise) => {
        parseVersion(noise, rocm);
        recognise(`PyTorch ${noise}`, product());
        recognise(`${noise}PyTorch 2.13`, product());
      }),
    );
  });

  it("takes bounded time on a megabyte", () => {
    const started = processorTime();
    for (const unit of ["PyTorch ", "1.", "9", "PyTorch 2.13 a ", " ", "İ", "PyTorch 2.13-rc", "a: - "]) {
      const long = unit.repeat(1_000_000 / unit.length);
      parseVersion(long, product());
      recognise(long, product());
      recognise(`PyTorch 2.13 ${long}`, product());
    }
    expectTime(processorTime() - started, 2000);
  });
});
