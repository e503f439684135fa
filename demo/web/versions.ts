import type { Section } from "../story.ts";

/** How pages that list or name versions write them, by source. The newest first, as such pages do. */
const written: Readonly<Record<string, (newestFirst: readonly string[]) => Section>> = {
  "cuda-release-notes": ([newest]) => only(`CUDA Toolkit ${newest} - Release Notes`),
  "cuda-redist": (all) => listed("Index of /compute/cuda/redist", all, (one) => `redistrib_${one}.json`),
  "cuda-archive": (all) => listed("Earlier and current releases", all, (one) => `CUDA Toolkit ${one}`),
  "nsight-systems": ([newest]) => only(`What is new in ${newest}`),
  "nsight-systems-download": ([newest]) => only(`Nsight Systems ${newest} for the workstation`),
  "nsight-compute": ([newest]) => only(`Updates in ${newest}`),
  "rocm-release-notes": ([newest]) => only(`ROCm ${newest} release notes`),
  "rocm-versions": (all) => listed("Release history", all, (one) => `ROCm ${one}`),
  "metal-whats-new": ([newest]) => only(`What is new in Metal ${newest}`),
  "libtpu-releases": (all) => listed("Wheels", all, (one) => `libtpu-${one}-py3-none-manylinux_2_31_x86_64.whl`),
};

function only(heading: string): Section {
  return { heading, paragraphs: ["What has changed, what is known to fail, and what will be dropped."] };
}

function listed(heading: string, all: readonly string[], line: (version: string) => string): Section {
  return { heading, list: all.map(line) };
}

/** The section of a page that lists versions, if it has one. */
export function versionSection(source: string, versions: readonly string[]): Section[] {
  const write = written[source];
  return write && versions.length > 0 ? [write(versions.toReversed())] : [];
}
