import { describe, expect, test } from "vitest";
import { huggingface } from "../../src/read/kinds/huggingface.ts";
import { failure, fixture, reading, response, source } from "./given.ts";

describe("huggingface", () => {
  test("reads what a repository is, and nothing that moves by itself", async () => {
    expect(await reading(huggingface, fixture("huggingface.json"))).toEqual({
      title: "acme/kite-7b",
      facts: {
        public: "yes",
        gated: "manual",
        disabled: "no",
        license: "apache-2.0",
        name: "acme/kite-7b",
        revision: "0123456789abcdef0123456789abcdef01234567",
      },
    });
  });

  test("reads the least that the Hub may say", async () => {
    const least = response('{"id":"a/b","gated":false,"tags":["license:mit","license:apache-2.0"]}');
    expect((await reading(huggingface, least)).facts).toEqual({
      public: "yes",
      gated: "no",
      disabled: "no",
      license: "apache-2.0, mit",
      name: "a/b",
    });
  });

  test.each([401, 404])("takes %i for a hidden repository, if the Hub says so", async (status) => {
    const hidden = response('{"error":"Repository not found"}', { status });
    expect(await reading(huggingface, hidden)).toEqual({ facts: { public: "no" }, partial: true });
    expect(await failure(huggingface, response("<!doctype html><html></html>", { status }))).toContain("HTML");
  });

  test("asks for models, datasets and spaces", () => {
    const asked = (address: string) =>
      huggingface.request(source(huggingface, {}, address), { githubToken: false }).url;
    expect(asked("a/b")).toBe("https://huggingface.co/api/models/a/b");
    expect(asked("datasets/a/b")).toBe("https://huggingface.co/api/datasets/a/b");
    expect(asked("spaces/a/b")).toBe("https://huggingface.co/api/spaces/a/b");
  });

  test.each([
    ["https://huggingface.co/openai/whisper-large-v3", { address: "openai/whisper-large-v3" }],
    ["https://hf.co/openai/whisper-large-v3/blob/main/README.md", { address: "openai/whisper-large-v3" }],
    ["https://huggingface.co/a/b/resolve/main/paper.pdf", { address: "a/b" }],
    ["https://huggingface.co/datasets/a/b/viewer", { address: "datasets/a/b" }],
    ["https://huggingface.co/spaces/a/b", { address: "spaces/a/b" }],
    ["https://huggingface.co/a/b/discussions/4", undefined],
    ["https://huggingface.co/docs/transformers", undefined],
    ["https://huggingface.co/blog/a-post", undefined],
    ["https://huggingface.co/papers/1706.03762", undefined],
    ["https://huggingface.co/openai", undefined],
  ])("knows %s", (address, recognised) => {
    expect(huggingface.recognises?.(new URL(address))).toEqual(recognised);
  });

  test("refuses another answer and another address", async () => {
    expect(await failure(huggingface, "{}")).toBe("not well-formed repository of the Hugging Face Hub");
    for (const address of ["gpt2", "a/b/c", "datasets/a", "../a"]) {
      expect(huggingface.address.safeParse(address).success, address).toBe(false);
    }
  });
});
