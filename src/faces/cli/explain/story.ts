import type { Explanation } from "../../../explain/index.ts";
import type { Config, Instant } from "../../../model.ts";
import { sourceLines } from "./source.ts";
import { recheckLines, triggerLines } from "./trigger.ts";

/** A story as lines for people. */
export function linesOf(story: Explanation, config: Config, at: Instant): string[] {
  switch (story.kind) {
    case "source":
      return sourceLines(story, at);
    case "trigger":
      return triggerLines(story, config);
    case "recheck":
      return recheckLines(story, config);
  }
}
