import { subscribe } from "node:diagnostics_channel";
import * as z from "zod";
import { oneLine } from "../../model/words.ts";

/** Spec: https://undici.nodejs.org/#/docs/api/DiagnosticsChannel */
const request = z.object({ method: z.string(), origin: z.union([z.string(), z.instanceof(URL)]), path: z.string() });
const answered = z.object({ request, response: z.object({ statusCode: z.int() }) });
const failed = z.object({ request, error: z.instanceof(Error) });

/** Reports each request of the process from now on, with the status of its answer or its error. */
export function reportRequests(say: (line: string) => void): void {
  subscribe("undici:request:headers", (message) => {
    const { data } = answered.safeParse(message);
    if (data) say(`${addressOf(data.request)}: ${data.response.statusCode}`);
  });
  subscribe("undici:request:error", (message) => {
    const { data } = failed.safeParse(message);
    if (data) say(`${addressOf(data.request)}: ${oneLine(data.error.message, 300)}`);
  });
}

function addressOf({ method, origin, path }: z.infer<typeof request>): string {
  return `${method} ${URL.parse(path, String(origin))?.href ?? path}`;
}
