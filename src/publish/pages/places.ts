import { slugOf } from "../slug.ts";

/** Where each page stands, from the folder that is published. Pages in folders lead there by `../`. */
export interface Places {
  /** `""` or `"../"`. */
  readonly up: string;
  rating(id: string): string;
  source(id: string): string;
  /** Its part of the page of all triggers. */
  trigger(id: string): string;
  file(name: string): string;
}

export function placesFrom(up: "" | "../"): Places {
  const at = (folder: string, id: string) => `${up}${folder}/${encodeURIComponent(slugOf(id))}.html`;
  return {
    up,
    rating: (id) => at("ratings", id),
    source: (id) => at("sources", id),
    trigger: (id) => `${up}triggers.html#${encodeURIComponent(anchorOf(id))}`,
    file: (name) => `${up}${name}`,
  };
}

/** The id of a trigger's part of its page. Prefixed, so that it is never one of ours. */
export function anchorOf(trigger: string): string {
  return `trigger-${trigger}`;
}
