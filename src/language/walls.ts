/** What walls say to whom they take for a program, by language; patterns in lower case. English is in the reader. */
const words: Readonly<Record<string, readonly string[]>> = {
  de: [
    "(?:bist|sind) kein roboter|kein roboter sind",
    "bestätigen sie,? dass sie (?:ein mensch|kein (?:ro)?bot)",
    "sicherheitsüberprüfung|zugriff (?:verweigert|gesperrt|blockiert)",
    "ungewöhnlich\\p{L}{0,3} (?:datenverkehr|zugriffe|aktivität)",
  ],
  fr: [
    "n'êtes pas un robot|vérification de sécurité|accès (?:refusé|bloqué)",
    "(?:vérifi|confirm)(?:er|ez|ons) que vous êtes (?:bien )?(?:un )?humain",
    "trafic inhabituel|activité inhabituelle",
  ],
  es: [
    "no (?:es|eres|soy) un robot|acceso (?:denegado|bloqueado)",
    "(?:verifi(?:que|ca|car|camos|cando)|confirm[ae]) que (?:usted )?(?:es|eres) (?:un )?(?:ser )?humano",
    "(?:comprobando|verificando) (?:tu|su|el) navegador",
    "(?:tráfico|actividad) (?:inusual|sospechos[oa])|demasiadas (?:solicitudes|peticiones)",
  ],
  pt: [
    "não é um robô|acesso (?:negado|bloqueado)",
    "(?:verifi(?:que|car|camos|cando)|confirm[ae]) (?:que|se) você é humano",
    "(?:tráfego|atividade) (?:incomum|suspeit[oa])",
  ],
  it: [
    "non sei un robot|accesso (?:negato|bloccato)",
    "(?:verific|conferm)[ai]\\p{L}{0,4} (?:che|di) (?:sei|essere) umano",
  ],
  nl: ["geen robot|toegang (?:geweigerd|geblokkeerd)", "(?:bevestig|controleer) dat (?:je|u) (?:een )?mens"],
  pl: ["nie jest(?:eś|em) robotem", "potwierdź,? że jesteś człowiekiem|nietypowy ruch"],
  tr: ["robot olmadığınızı", "insan olduğunuzu (?:doğrula|onayla)|olağan dışı trafik"],
  ru: [
    "(?:вы|я) не робот|доступ (?:временно )?(?:запрещ|ограничен|заблокирован)",
    "подтвердите,? что (?:вы|запросы)|что запросы отправляли вы",
    "(?:проверяем|проверка) (?:что )?(?:ваш(?:его)? )?браузер",
    "(?:необычн|подозрительн)\\p{L}{2,3} (?:трафик|активност|запрос)|слишком много запросов",
  ],
  uk: ["(?:ви|я) не робот|підтвердьте,? що ви", "доступ (?:тимчасово )?(?:заборонен|обмежен|заблокован)"],
  zh: [
    "人机(?:身份)?验证|人機驗證|不是机器人|不是機器人",
    "请(?:输入|填写).{0,6}验证码|請輸入.{0,6}驗證碼",
    "请(?:先|您)?完成.{0,12}验证|請(?:先|您)?完成.{0,12}驗證",
    "(?:验证|確認|确认|驗證)(?:您|你)?(?:是否)?(?:是|为|為)?真人",
    "(?:您|你)的(?:访问|请求|操作|ip).{0,12}(?:异常|频繁|被(?:拒绝|拦截|限制|阻止))",
    "(?:检测到|偵測到|檢測到).{0,12}(?:异常|異常|可疑)(?:流量|访问|存取|请求|要求|行为)",
    "正在(?:检查|验证|檢查)(?:您|你)的(?:浏览器|瀏覽器)|存取遭(?:拒|封鎖)",
  ],
  ja: [
    "ロボットではありません|ロボットではないこと",
    "人間(?:である|の操作)こ?と?.{0,3}(?:確認|証明)",
    "(?:画像|下|上)に(?:表示|記載)された(?:文字|数字)を入力",
    "(?:通常と異なる|異常な|不審な|不正な)(?:アクセス|トラフィック).{0,12}(?:検出|検知|確認)",
    "(?:お使いの)?ブラウザー?を(?:確認|チェック)しています|アクセスが(?:拒否|ブロック)され",
  ],
  ko: ["로봇이 아닙니다|사람(?:인지|임을) 확인", "비정상적인 (?:접근|접속|트래픽)|(?:접근|접속)이 (?:거부|차단)"],
};

const all = new RegExp(Object.values(words).flat().join("|"), "iu");

/** Whether a text has such words in another language than English. */
export function saysWall(text: string): boolean {
  return all.test(text);
}
