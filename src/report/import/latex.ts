import { pairsIn } from "../../language/fold.ts";

/** Accents as combining characters of Unicode. */
const accents = pairsIn(
  "`=\u0300 '=\u0301 ^=\u0302 ~=\u0303 \"=\u0308 ==\u0304 .=\u0307 " +
    "u=\u0306 v=\u030c H=\u030b c=\u0327 d=\u0323 b=\u0331 r=\u030a k=\u0328",
);

const letters = pairsIn(
  "ss=ß o=ø O=Ø l=ł L=Ł ae=æ AE=Æ oe=œ OE=Œ aa=å AA=Å i=i j=j th=þ dh=ð " +
    "textendash=– textemdash=— textquoteright=’ textquoteleft=‘ ldots=… dots=… infty=∞ times=× LaTeX=LaTeX TeX=TeX " +
    "alpha=α beta=β gamma=γ Gamma=Γ delta=δ Delta=Δ epsilon=ε varepsilon=ε eta=η theta=θ kappa=κ lambda=λ " +
    "Lambda=Λ mu=μ pi=π rho=ρ sigma=σ Sigma=Σ tau=τ phi=φ varphi=φ chi=χ psi=ψ omega=ω Omega=Ω",
);

/** LaTeX as plain text: `{\"U}ber {\it den} \textbf{Wind}` is *Über den Wind*. */
export function latexText(written: string): string {
  return written
    .replace(/\\(?:url|path)\s*\{([^{}]{0,2000})\}/g, "$1")
    .replace(/\\href\s*\{[^{}]{0,2000}\}/g, "")
    .replace(/\\([`'^~"=.])\s*(?:\{\s*(\\?[A-Za-z])\s*\}|(\\?[A-Za-z]))/g, composeAccent)
    .replace(/\\([uvHcdbrk])(?:\s*\{\s*(\\?[A-Za-z])\s*\}|\s+(\\?[A-Za-z]))/g, composeAccent)
    .replace(/\\([A-Za-z]{1,30})(?:\s*\{\}|\s+|(?![A-Za-z]))/g, (_, name: string) =>
      Object.hasOwn(letters, name) ? (letters[name] ?? "") : "",
    )
    .replace(/\\u([\da-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\([^A-Za-z])/g, "$1")
    .replace(/---/g, "—")
    .replace(/--/g, "–")
    .replace(/``|''/g, '"')
    .replace(/[{}$]/g, "")
    .replace(/~/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .normalize("NFC");
}

function composeAccent(_: string, mark: string, braced: string | undefined, bare: string | undefined): string {
  const letter = (braced ?? bare ?? "").replace("\\", "");
  return `${letter}${accents[mark] ?? ""}`;
}

/** An address, or a text with addresses, without LaTeX escapes: `10.1007/a\_b`, `\url{https://a.example/x}`. */
export function latexAddress(written: string): string {
  return written
    .replace(/\\(?:url|path)\s*\{([^{}]{0,2000})\}/g, " $1 ")
    .replace(/\\href\s*\{([^{}]{0,2000})\}/g, " $1 ")
    .replace(/\\(?:textasciitilde|~)(?:\{\})?|\$\\sim\$|\\sim\b/g, "~")
    .replace(/\\textunderscore(?:\{\})?/g, "_")
    .replace(/\$([<>])\$/g, "$1")
    .replace(/\\text(less|greater)(?:\{\})?/g, (_, sign: string) => (sign === "less" ? "<" : ">"))
    .replace(/\\([_%&#$~{}])/g, "$1")
    .replace(/[{}]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
