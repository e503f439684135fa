/** Statements by which a page may try to reach an address; each in a scope of its own. */
export function roadsTo(address: string): readonly string[] {
  const { host, hostname, port } = new URL(address);
  const element = (name: string, attributes: Record<string, string>) =>
    `document.body.append(Object.assign(document.createElement("${name}"), ${JSON.stringify(attributes)}))`;
  const markup = (html: string) => `document.body.insertAdjacentHTML("beforeend", ${JSON.stringify(html)})`;
  return [
    `await fetch("${address}")`,
    `await fetch("${address}", { mode: "no-cors" })`,
    `await fetch("${address}", { method: "POST", body: "a", mode: "no-cors" })`,
    `await fetch("${address}", { method: "PUT", headers: { "x-a": "b" } })`,
    `await fetch("${address}", { keepalive: true, mode: "no-cors" })`,
    `await fetch("/redirect?${address}")`,
    `{ const x = new XMLHttpRequest(); x.open("GET", "${address}"); x.send(); }`,
    `{ const x = new XMLHttpRequest(); x.open("GET", "${address}", false); x.send(); }`,
    `navigator.sendBeacon("${address}", "a")`,
    `new EventSource("${address}")`,
    `new WebSocket("ws://${host}/")`,
    `new WebSocketStream("ws://${host}/")`,
    `new WebTransport("https://${host}/")`,
    `new Worker("${address}")`,
    `new SharedWorker("${address}")`,
    `new Worker(URL.createObjectURL(new Blob(["importScripts('${address}')"])))`,
    `new Worker(URL.createObjectURL(new Blob(["fetch('${address}'); new WebSocket('ws://${host}')"])))`,
    `new SharedWorker(URL.createObjectURL(new Blob(["fetch('${address}')"])))`,
    `await navigator.serviceWorker.register("/worker.js?${address}")`,
    `await import("${address}")`,
    `await import("data:text/javascript,import '${address}'")`,
    `await CSS.paintWorklet.addModule("${address}")`,
    `await new AudioContext().audioWorklet.addModule("${address}")`,
    `await new FontFace("a", "url(${address})").load()`,
    `await caches.open("a").then((cache) => cache.add("${address}"))`,
    `window.open("${address}")`,
    `window.open("${address}", "_blank", "noopener")`,
    `{ const a = document.createElement("a"); a.href = "${address}"; a.click(); }`,
    `{ const a = document.createElement("a"); a.href = "${address}"; a.target = "_blank"; a.click(); }`,
    `{ const a = document.createElement("a"); a.href = "${address}"; a.download = "a"; a.click(); }`,
    `{ const a = document.createElement("a"); a.href = "#a"; a.ping = "${address}"; a.click(); }`,
    `{ const f = document.createElement("form"); f.action = "${address}"; document.body.append(f); f.submit(); }`,
    `{ const f = document.createElement("form"); f.action = "${address}"; f.method = "post"; f.target = "_blank"; document.body.append(f); f.submit(); }`,
    `location.href = "${address}"`,
    `location.replace("${address}")`,
    `history.pushState({}, "", "/a"); history.back()`,
    element("iframe", { src: address }),
    element("iframe", {
      srcdoc: `<script>fetch("${address}"); new WebSocket("ws://${host}"); location = "${address}"</script>`,
    }),
    element("iframe", { srcdoc: `<meta http-equiv="refresh" content="0; url=${address}">` }),
    element("iframe", {
      src: `data:text/html,<script>fetch('${address}',{mode:'no-cors'});new WebSocket('ws://${host}')</script>`,
    }),
    element("iframe", { src: `/redirect?${address}` }),
    markup(
      `<iframe sandbox="allow-scripts allow-popups" srcdoc="<script>open('${address}'); fetch('${address}')</script>"></iframe>`,
    ),
    markup(`<iframe credentialless src="${address}"></iframe><fencedframe></fencedframe>`),
    element("object", { data: address }),
    element("embed", { src: address }),
    element("img", { src: address }),
    markup(`<img srcset="${address} 2x"><picture><source srcset="${address}"><img></picture>`),
    markup(`<video src="${address}" poster="${address}" autoplay></video><audio src="${address}" autoplay></audio>`),
    markup(`<video><track default src="${address}"><source src="${address}"></video>`),
    markup(`<input type="image" src="${address}"><table background="${address}"></table>`),
    element("script", { src: address }),
    element("script", { src: address, type: "module" }),
    element("script", {
      type: "speculationrules",
      textContent: `{"prefetch":[{"source":"list","urls":["${address}"]}],"prerender":[{"source":"list","urls":["${address}"]}]}`,
    }),
    ...[
      "stylesheet",
      "icon",
      "manifest",
      "prefetch",
      "preconnect",
      "dns-prefetch",
      "modulepreload",
      "prerender",
      "next",
    ].map((rel) => element("link", { rel, href: address })),
    ...["script", "style", "image", "font", "fetch", "document", "track"].map((as) =>
      element("link", { rel: "preload", as, href: address }),
    ),
    markup(
      `<style>@import "${address}"; @font-face { font-family: a; src: url(${address}) } body { font-family: a; background: url(${address}); cursor: url(${address}), auto }</style>`,
    ),
    markup(
      `<svg><image href="${address}"/><use href="${address}#a"/><filter id="f"><feImage href="${address}"/></filter><script href="${address}"></script></svg>`,
    ),
    markup(`<meta http-equiv="refresh" content="0; url=${address}">`),
    markup(`<base href="${address}"><img src="relative.png">`),
    markup(`<link rel="import" href="${address}"><body background="${address}">`),
    `new PerformanceObserver(() => {}); new ReportingObserver(() => {}); new Notification("a", { icon: "${address}" })`,
    `{ const c = new RTCPeerConnection({ iceServers: [{ urls: ["stun:${hostname}:${port}", "turn:${hostname}:${port}?transport=udp", "turn:${hostname}:${port}?transport=tcp"].slice(0, 3), username: "a", credential: "b" }] });
       c.createDataChannel("a"); await c.setLocalDescription(await c.createOffer()); }`,
    `{ const c = new RTCPeerConnection(); c.createDataChannel("a"); await c.setLocalDescription();
       await c.addIceCandidate({ candidate: "candidate:1 1 udp 2122260223 ${hostname} ${port} typ host", sdpMid: "0" }); }`,
    `{ const f = document.createElement("iframe"); document.body.append(f);
       const c = new f.contentWindow.RTCPeerConnection({ iceServers: [{ urls: "stun:${hostname}:${port}" }] });
       c.createDataChannel("a"); await c.setLocalDescription(); }`,
    ...['sandbox="allow-scripts" srcdoc', "src"].map((into) => {
      const script = `<script>const c = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${hostname}:${port}' }] }); c.createDataChannel('a'); c.setLocalDescription()</script>`;
      return markup(`<iframe ${into}="${into === "src" ? "data:text/html," : ""}${script}"></iframe>`);
    }),
    `await navigator.mediaDevices.getUserMedia({ video: true, audio: true })`,
    `await navigator.credentials.get({ identity: { providers: [{ configURL: "${address}", clientId: "a" }] } })`,
    `navigator.geolocation.getCurrentPosition(() => {})`,
    `await navigator.requestMediaKeySystemAccess("org.w3.clearkey", [])`,
    `await new PaymentRequest([{ supportedMethods: "${address}" }], { total: { label: "a", amount: { currency: "EUR", value: "1" } } }).canMakePayment()`,
    `alert("a"); confirm("a"); prompt("a"); print()`,
  ];
}
