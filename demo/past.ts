import type { Publication, Section, Story } from "./story.ts";

/** The web before the first day: enough of each list to be a list, and the texts that no claim implies. */

const entry = (source: string, name: string, text?: string): Publication => ({ kind: "entry", source, name, text });
const version = (source: string, number: string): Publication => ({ kind: "version", source, version: number });
const text = (source: string, ...sections: Section[]): Publication => ({ kind: "text", source, sections });
const facts = (source: string, told: Record<string, string>): Publication => ({ kind: "facts", source, facts: told });

const releases: Story["past"] = [
  ["2025-11-12", entry("pytorch-releases", "v2.9.1", "Fixes of regressions in 2.9.0.")],
  ["2026-03-23", entry("pytorch-releases", "v2.11.0", "What is new since 2.10.")],
  [
    "2026-05-13",
    entry(
      "pytorch-releases",
      "v2.12.0",
      "What is new since 2.11.\n\n## MPS\n\n- From this release on, all MPS tensors use unified memory unconditionally.",
    ),
  ],
  ["2025-11-12", entry("pytorch-pypi", "2.9.1")],
  ["2026-03-23", entry("pytorch-pypi", "2.11.0")],
  ["2026-05-13", entry("pytorch-pypi", "2.12.0")],
  ["2025-08-14", entry("flash-attention-releases", "v2.8.3")],
  ["2025-10-22", entry("executorch-releases", "v1.0.0")],
  ["2025-12-16", entry("torchao-releases", "v0.15.0", "Notes on the release.")],
  ["2025-12-16", entry("torchao-pypi", "0.15.0")],
  ["2025-11-17", entry("xla-releases", "v2.9.0")],
  ["2025-11-17", entry("xla-pypi", "2.9.0")],
  ["2024-12-19", entry("optimum-tpu-pypi", "0.2.3")],
  ["2025-11-26", entry("rocm-releases", "rocm-7.1.1")],
  ["2026-01-21", entry("rocm-releases", "rocm-7.2.0")],
  ["2025-11-20", entry("mlx-releases", "v0.30.0")],
  ["2025-11-20", entry("mlx-lm-releases", "v0.28.4")],
  ["2025-12-02", entry("helion-releases", "v0.2.5")],
  ["2025-11-10", entry("vllm-tpu-releases", "v0.11.1")],
  ["2026-01-30", entry("rocm-pytorch-images", "rocm7.2_ubuntu24.04_py3.12_pytorch_release_2.9.1")],
  ["2026-04-28", entry("primus-images", "v26.2")],
  ["2025-11-03", entry("rocm-vllm-images", "rocm7.0.0_vllm_0.11.1_20251103")],
];

const versions: Story["past"] = [
  ["2026-05-13", version("pytorch-published-versions", "2.12.0")],
  ["2026-05-13", version("pytorch-quick-start", "2.12.0")],
  ["2025-12-04", version("cuda-archive", "13.1.0")],
  ["2026-03-09", version("cuda-archive", "13.2.0")],
  ["2025-12-04", version("cuda-redist", "13.1.0")],
  ["2026-03-09", version("cuda-redist", "13.2.0")],
  ["2026-03-09", version("cuda-release-notes", "13.2")],
  ["2025-12-04", version("cuda-conda", "13.1")],
  ["2026-03-09", version("cuda-conda", "13.2")],
  ["2026-04-15", version("nsight-systems", "2026.2")],
  ["2026-04-15", version("nsight-systems-download", "2026.2")],
  ["2026-04-15", version("nsight-compute", "2026.2")],
  ["2026-01-21", version("rocm-release-notes", "7.2.0")],
  ["2025-11-26", version("rocm-versions", "7.1.1")],
  ["2026-01-21", version("rocm-versions", "7.2.0")],
  ["2025-06-09", version("metal-whats-new", "4")],
  ["2025-12-01", version("libtpu-releases", "0.0.30")],
  ["2026-03-24", version("endoflife-macos", "26.4")],
  ["2026-05-11", version("endoflife-macos", "26.5")],
];

const posts: Story["past"] = [
  ["2026-03-23", entry("pytorch-blog", "PyTorch 2.11 Release Blog")],
  ["2026-05-13", entry("pytorch-blog", "PyTorch 2.12 Release Blog")],
  ["2026-05-11", entry("apple-developer-releases", "macOS 26.5 (25F71)")],
  ...[
    "nvidia-blog",
    "rocm-blog",
    "google-developers-blog",
    "google-blog",
    "tpu-release-notes",
    "hugging-face-blog",
    "apple-newsroom",
    "the-register",
  ].flatMap((source): Story["past"] => [
    ["2026-03-11", entry(source, "Notes from the first quarter")],
    ["2026-04-29", entry(source, "News of the spring, in short")],
  ]),
];

const commits: Story["past"] = ["torchao-mps-ops", "torchao-mps-kernels", "torchao-arm-kernels"].map((source) => [
  "2025-09-10",
  entry(source, "Tell which file a kernel comes from"),
]);

/** Texts that differed from the report, or claims that do not make a page alone. */
const texts: readonly Publication[] = [
  text("apple-mac-studio-specs", {
    heading: "Mac Studio: technical specifications",
    table: [
      ["Part", "M4 Max", "M3 Ultra"],
      ["Unified memory", "36GB, configurable to 64GB", "96GB unified memory"],
      ["Memory bandwidth", "up to 546GB/s", "819GB/s"],
    ],
  }),
  text("apple-mac-studio-shop", {
    heading: "Buy a Mac Studio",
    paragraphs: ["Choose a chip, then the storage. With M3 Ultra there is one size of memory: 96GB unified memory."],
    list: ["M4 Max, 36GB unified memory", "M3 Ultra, 96GB unified memory"],
  }),
  text("apple-macbook-pro-specs", {
    heading: "MacBook Pro: technical specifications",
    table: [
      ["Part", "What there is"],
      ["Chip", "M5 Max with 18-core CPU and 40-core GPU (614GB/s memory bandwidth)"],
      ["Unified memory", "Configurable to 128GB (M5 Max with 40-core GPU)"],
      ["Display", "14 or 16 inches, up to 120 Hz"],
    ],
  }),
  text(
    "mlx-readme",
    { heading: "MLX", paragraphs: ["An array framework for Apple silicon."] },
    { heading: "Memory", paragraphs: ["Arrays in MLX live in shared memory, and work on any device without a copy."] },
    { heading: "Linux", paragraphs: ["A CUDA backend can be installed from the same package index."] },
  ),
  text(
    "jetstream",
    { heading: "JetStream", paragraphs: ["An engine for inference on XLA devices."] },
    { heading: "Notice of Archival", paragraphs: ["Nobody works on this any more; it stays here to be read."] },
  ),
  text("optimum-tpu", {
    heading: "Optimum TPU",
    paragraphs: ["Optimum TPU is in maintenance mode: only what breaks is mended."],
  }),
  text(
    "tpu7x",
    {
      heading: "TPU7x (Ironwood)",
      paragraphs: [
        "To use TPU7x, you must use Google Kubernetes Engine (GKE). To get access to TPU7x, contact your account team.",
      ],
    },
    { heading: "Frameworks", paragraphs: ["You can use the JAX framework on TPU7x."] },
    {
      heading: "Figures",
      table: [
        ["Figure", "TPU7x"],
        ["Chips in a pod", "9216"],
        ["HBM capacity per chip (GiB)", "192"],
        ["HBM bandwidth per chip (GiBps)", "7380"],
      ],
    },
  ),
  text(
    "tpu-runtimes",
    { heading: "TPU software versions", paragraphs: ["What to name when a TPU VM is created."] },
    {
      heading: "PyTorch and JAX",
      table: [
        ["TPU", "Software version"],
        ["v6e", "v2-alpha-tpuv6e"],
        ["v5p", "v2-alpha-tpuv5"],
        ["v5e", "v2-alpha-tpuv5-lite"],
      ],
    },
  ),
  text("rocm-compatibility", {
    heading: "Compatibility matrix",
    table: [
      ["With", "ROCm 7.2.0", "ROCm 7.1.1"],
      ["PyTorch", "2.9.1, 2.8.0", "2.8.0, 2.7.1"],
      ["JAX", "0.7.1", "0.6.2"],
    ],
  }),
  text(
    "mps-tracker",
    {
      heading: "Where it stands",
      paragraphs: [
        "torch.compile on MPS is an early prototype and attempt to use it to accelerate end-to-end network is likely to fail.",
      ],
    },
    {
      heading: "To do",
      list: [
        "[ ] Reductions: multi-stage well ford reductions are not implemented",
        "[ ] [Perf][Stretch] Enable FlexAttention for MPS",
        "[ ] Decide whether to decompose aten._scaled_dot_product_attention_math_for_mps",
        "[x] Pointwise operators",
      ],
    },
  ),
  text("mps-codegen", { heading: "Compiled reductions fail", paragraphs: ["The shader does not compile."] }),
  text("xla-rfc", { heading: "A proposal", paragraphs: ["TPU as a device like any other, eager first."] }),
  facts("torchtpu", { public: "no" }),
  facts("jetstream-repo", { archived: "yes" }),
  facts("mps-flex-attention", { state: "open" }),
];

export const past: Story["past"] = [
  ...releases,
  ...versions,
  ...posts,
  ...commits,
  ...texts.map((publication) => ["2026-05-15", publication] as const),
];
