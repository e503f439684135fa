import { errors } from "undici";
import { Failure } from "../../failure.ts";

const dns = /^(EAI_\w+|ENOTFOUND|ENODATA|ENONAME|ESERVFAIL|EREFUSED)$/;
const connect = /^(ECONNREFUSED|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|EACCES|EPERM|EINVAL|EMFILE)$/;
const tls =
  /^(ERR_TLS_\w+|ERR_SSL_\w+|CERT_\w+|CRL_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+|ERROR_IN_\w+|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|PATH_LENGTH_EXCEEDED|EPROTO|UND_ERR_PRX_TLS)$/;

/** A tunnel that the proxy will not, or cannot, open; a 407, which undici calls an invalid argument. */
const refusedByProxy = /^UND_ERR_(ABORTED|PRX_CONN|INVALID_ARG)$/;

/** How far an exchange had come. */
interface Progress {
  /** An answer had begun. */
  readonly begun: boolean;
  readonly proxied: boolean;
  /** Of the look, in ms. */
  readonly timeout: number;
}

/**
 * What an error of Node or undici means. Once an answer has begun, a connection that breaks off is *truncated*: only
 * where nothing came back may the fault be ours.
 */
export function failureOf(error: unknown, { begun, proxied, timeout }: Progress): Failure {
  if (error instanceof Failure) return error;
  const code = codeOf(error);
  const facts: Record<string, string> = code === "" ? {} : { code };
  const cause = plain(error, code);
  if (code === "UND_ERR_CLOSED" || code === "UND_ERR_DESTROYED")
    return new Failure("deferred", { why: "Recheck is stopping" }, cause);
  if (begun) return new Failure("truncated", facts, cause);
  if (dns.test(code)) return new Failure("dns", facts, cause);
  if (connect.test(code)) return new Failure("connect", facts, cause);
  if (tls.test(code)) return new Failure("tls", facts, cause);
  if (code === "UND_ERR_CONNECT_TIMEOUT" || code === "ETIMEDOUT")
    return new Failure("timeout", { ...facts, after: timeout }, cause);
  if (proxied && refusedByProxy.test(code)) return new Failure("connect", facts, cause);
  if (code === "ECONNRESET" || code === "EPIPE" || code === "UND_ERR_SOCKET" || code === "ECONNABORTED")
    return new Failure("reset", facts, cause);
  if (error instanceof errors.HTTPParserError || code === "UND_ERR_HEADERS_OVERFLOW")
    return new Failure("malformed", { ...facts, expected: "HTTP" }, cause);
  return new Failure("internal", facts, cause);
}

/** The code, of the first attempt where several addresses were tried. */
function codeOf(error: unknown): string {
  const { code, errors } = (error ?? {}) as { code?: unknown; errors?: unknown };
  if (typeof code === "string") return code;
  return Array.isArray(errors) && errors.length > 0 ? codeOf(errors[0]) : "";
}

/** Message and code only: errors of undici carry what was sent and received, and so may hold a secret. */
function plain(error: unknown, code: string): Error {
  const message = error instanceof Error ? error.message : "not an error";
  return Object.assign(new Error(message), code === "" ? {} : { code });
}
