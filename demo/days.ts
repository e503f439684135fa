import { past } from "./past.ts";
import type { Day, Story } from "./story.ts";

/**
 * The story: from the report's audit to the day TorchTPU became public. The facts are real and dated. If only the month is
 * known, the day is ours; invented parts say so. Every text was written for the demo.
 */

const days: readonly Day[] = [
  {
    date: "2026-05-16",
    world: [
      "The report is published, and checked for the first time.",
      "Five of its claims were untrue already: Apple had withdrawn the 512 GB Mac Studio in March without a press",
      "release, MLX had a CUDA backend, JetStream was archived, Optimum TPU was in maintenance mode.",
    ],
    fires: ["not-found"],
  },
  {
    date: "2026-05-19",
    world: ["Nothing happens. Session tokens, view counters and build hashes are new, as on every day."],
    fires: [],
  },
  {
    date: "2026-05-23",
    world: ["Nothing happens. NVIDIA's web shows a bot wall, and the State of AI site does not answer."],
    publishes: [
      { kind: "entry", source: "nvidia-blog", name: "Meet us at the summer conference" },
      { kind: "entry", source: "hugging-face-blog", name: "What we learned from a year of community sprints" },
    ],
    weather: { walls: ["www.nvidia.com"], hangs: ["www.stateof.ai"] },
    fires: [],
  },
  {
    date: "2026-06-01",
    world: ["The TPU7x page admits Compute Engine beside GKE, and PyTorch beside JAX."],
    publishes: [
      {
        kind: "edit",
        source: "tpu7x",
        from: "To use TPU7x, you must use Google Kubernetes Engine (GKE).",
        to: "TPU7x can be used from Compute Engine or from Google Kubernetes Engine (GKE).",
      },
      {
        kind: "edit",
        source: "tpu7x",
        from: "You can use the JAX framework on TPU7x.",
        to: "You can use the JAX and PyTorch frameworks on TPU7x.",
      },
    ],
    fires: ["tpu"],
  },
  {
    date: "2026-06-04",
    world: ["FlexAttention for MPS lands. A bot lands it: the pull request is closed, not merged, and has a label."],
    publishes: [{ kind: "facts", source: "mps-flex-attention", facts: { state: "closed", labels: "Merged" } }],
    fires: ["mps"],
  },
  {
    date: "2026-06-10",
    world: ["Nothing happens that anybody here could see: our own connection is down."],
    weather: { offline: true },
    fires: [],
  },
  { date: "2026-06-11", world: ["The connection is back. Nothing has happened."], fires: [] },
  {
    date: "2026-06-18",
    world: ["PyTorch 2.12.1, on GitHub and on PyPI."],
    publishes: [
      {
        kind: "entry",
        source: "pytorch-releases",
        name: "v2.12.1",
        title: "PyTorch 2.12.1 Release, bug fixes",
        text: "Fixes of regressions in 2.12.0.\n\n## Inductor\n\n- A wrong result of a fused reduction\n\n## Distributed\n\n- A hang at the end of a run",
      },
      { kind: "entry", source: "pytorch-pypi", name: "2.12.1" },
    ],
    fires: ["cuda", "rocm"],
    announces: [{ product: "pytorch", version: "2.12.1", triggers: ["cuda", "rocm"], places: 2 }],
  },
  {
    date: "2026-06-24",
    world: ["In June: CUDA Toolkit 13.3, in the release notes, in the archive and in the redistributables as 13.3.0."],
    publishes: [
      { kind: "version", source: "cuda-release-notes", version: "13.3" },
      { kind: "version", source: "cuda-archive", version: "13.3.0" },
      { kind: "version", source: "cuda-redist", version: "13.3.0" },
    ],
    fires: ["cuda"],
    announces: [{ product: "cuda", version: "13.3", triggers: ["cuda"], places: 3 }],
  },
  {
    date: "2026-07-01",
    world: [
      "Every page has a new menu, footer and banner; paragraphs are cut into other lines; lists come in another order.",
      "PyTorch tags a release candidate of 2.13, and ROCm a technology preview.",
    ],
    publishes: [
      {
        kind: "entry",
        source: "pytorch-releases",
        name: "v2.13.0-rc3",
        pre: true,
        text: "For testing on MPS and CUDA.",
      },
      { kind: "entry", source: "pytorch-pypi", name: "2.13.0rc3" },
      {
        kind: "entry",
        source: "rocm-therock-releases",
        name: "therock-7.13.0",
        title: "ROCm 7.13.0 technology preview",
      },
    ],
    weather: { redesign: true, rewrap: true, shuffle: true },
    fires: [],
  },
  {
    date: "2026-07-08",
    world: [
      "PyTorch 2.13.0: on GitHub, on PyPI, in the blog and in the install selector.",
      "Its notes have a section on MPS: FlexAttention has come to Apple Silicon.",
    ],
    publishes: [
      {
        kind: "entry",
        source: "pytorch-releases",
        name: "v2.13.0",
        title: "PyTorch 2.13.0 Release",
        text: "What is new since 2.12.\n\n## Compiler\n\n- A CuTeDSL backend of Inductor, beside Triton\n\n## MPS\n\n- FlexAttention runs on Apple Silicon, on Metal kernels of its own, up to about 12 times as fast as SDPA on sparse patterns\n- Many operators have moved from MPS Graph to Metal\n\n## ROCm\n\n- AOTriton 0.12b",
      },
      { kind: "entry", source: "pytorch-pypi", name: "2.13.0" },
      { kind: "entry", source: "pytorch-blog", name: "PyTorch 2.13 Release Blog", text: "PyTorch 2.13 is here." },
      { kind: "version", source: "pytorch-published-versions", version: "2.13.0" },
      { kind: "version", source: "pytorch-quick-start", version: "2.13.0" },
    ],
    fires: ["cuda", "rocm", "mps"],
    announces: [
      { product: "pytorch", version: "2.13.0", triggers: ["cuda", "rocm"], places: 5 },
      { product: "pytorch", version: "2.13.0", triggers: ["mps"], places: 1 },
    ],
  },
  {
    date: "2026-07-16",
    world: ["ROCm 7.14.0, the first release built from TheRock: the number after 7.2, for 7.9 to 7.13 were previews."],
    publishes: [
      {
        kind: "entry",
        source: "rocm-releases",
        name: "rocm-7.14.0",
        title: "ROCm 7.14.0 Release",
        text: "The first production release that is built from TheRock.",
      },
      { kind: "version", source: "rocm-release-notes", version: "7.14.0" },
      { kind: "version", source: "rocm-versions", version: "7.14.0" },
    ],
    fires: ["rocm"],
    announces: [{ product: "rocm", version: "7.14.0", triggers: ["rocm"], places: 3 }],
  },
  {
    date: "2026-07-27",
    world: ["macOS 26.6, and Metal with it: in Apple's feed for developers and at endoflife.date."],
    publishes: [
      { kind: "entry", source: "apple-developer-releases", name: "macOS 26.6 (25G70)" },
      { kind: "version", source: "endoflife-macos", version: "26.6" },
    ],
    fires: ["mps"],
    announces: [{ product: "macos", version: "26.6", triggers: ["mps"], places: 2 }],
  },
  {
    date: "2026-08-05",
    world: ["Invented: the MacBook Pro's specifications list 192 GB of unified memory in place of 128 GB."],
    publishes: [
      {
        kind: "edit",
        source: "apple-macbook-pro-specs",
        from: "128GB (M5 Max with 40-core GPU)",
        to: "192GB (M5 Max with 40-core GPU)",
      },
    ],
    fires: ["apple-memory"],
  },
  {
    date: "2026-08-12",
    world: ["In August: the tracker of torch.compile on MPS ticks off FlexAttention."],
    publishes: [
      {
        kind: "edit",
        source: "mps-tracker",
        from: "[ ] [Perf][Stretch] Enable FlexAttention for MPS",
        to: "[x] [Perf][Stretch] Enable FlexAttention for MPS",
      },
    ],
    fires: ["mps"],
  },
  {
    date: "2026-08-20",
    world: [
      "Nothing happens that was asked about: macOS 26.6.2 is a patch, the redistributables list a developer preview of",
      "CUDA 13.4 as 13.4.0, and a post in PyTorch's blog names Apple in passing.",
    ],
    publishes: [
      { kind: "version", source: "endoflife-macos", version: "26.6.2" },
      { kind: "version", source: "cuda-redist", version: "13.4.0" },
      {
        kind: "entry",
        source: "pytorch-blog",
        name: "A summer of community meetups",
        text: "Thanks to all who came, with NVIDIA, AMD and Apple laptops alike.",
      },
    ],
    weather: { walls: ["www.apple.com"] },
    fires: [],
  },
  {
    date: "2026-08-26",
    world: ["ROCm 10.0.0, in another repository and under another tag: therock-10.0 in ROCm/rocm-systems."],
    publishes: [
      {
        kind: "entry",
        source: "rocm-systems-releases",
        name: "therock-10.0",
        title: "ROCm 10.0.0",
        text: "Releases of ROCm are made here from now on.",
      },
      { kind: "version", source: "rocm-release-notes", version: "10.0.0" },
      { kind: "version", source: "rocm-versions", version: "10.0.0" },
    ],
    fires: ["rocm"],
    announces: [{ product: "rocm", version: "10.0.0", triggers: ["rocm"], places: 3 }],
  },
  {
    date: "2026-09-03",
    world: ["In September: a rocm/pytorch image with ROCm 10.0 and PyTorch 2.13.0, among nightly and test images."],
    publishes: [
      { kind: "entry", source: "rocm-pytorch-images", name: "rocm10.0_ubuntu26.04_py3.14_pytorch_release_2.13.0" },
      { kind: "entry", source: "rocm-pytorch-images", name: "rocm10.0_ubuntu26.04_py3.14_pytorch_main_20260903" },
      { kind: "entry", source: "rocm-pytorch-images", name: "latest" },
    ],
    fires: ["rocm"],
  },
  {
    date: "2026-09-10",
    world: ["In September: CUDA 13.4. The release notes call it 13.4, the files are numbered 13.4.1."],
    publishes: [
      { kind: "version", source: "cuda-release-notes", version: "13.4" },
      { kind: "version", source: "cuda-redist", version: "13.4.1" },
      { kind: "version", source: "cuda-archive", version: "13.4.1" },
    ],
    fires: ["cuda"],
    announces: [{ product: "cuda", version: "13.4", triggers: ["cuda"], places: 3 }],
  },
  {
    date: "2026-09-21",
    world: ["TorchTPU is public: the repository can be seen. It has no release, and PyPI's torch-tpu is another's."],
    publishes: [
      {
        kind: "facts",
        source: "torchtpu",
        facts: { public: "yes", description: "PyTorch on TPU, without a bridge" },
      },
    ],
    fires: ["tpu"],
  },
  { date: "2026-09-22", world: ["Nothing happens."], fires: [] },
];

export const story: Story = {
  past,
  days,
  notFound: [
    "apple-mac-studio-shop/memory-512",
    "apple-mac-studio-specs/memory-512",
    "jetstream/maintained",
    "mlx-readme/not-portable",
    "optimum-tpu/maintained",
  ],
};
