import * as z from "zod";

/** Spec: https://www.doi.org/doi-handbook/HTML/index.html#structure */
export const doiAddress = z
  .string()
  .max(300)
  .regex(/^10\.\d{4,9}\/[^\s"<>?#]+$/, "wants a DOI, e.g. 10.1145/3292500.3330701");
