/**
 * Signs of pages that are not the page that was asked for. Markup of delivery networks, challenge and consent tools
 * is named; no site is. Each group counts only where little else stands on the page (see `readable.ts`).
 */

/** Challenges and blocks, by what delivery networks and bot managers put into the markup. */
export const challengeMarkup = [
  "_cf_chl_opt",
  "cf-chl-",
  "cf_chl_",
  "cf-error-details",
  "cf-turnstile",
  "challenges.cloudflare.com",
  "captcha-delivery.com",
  "px-captcha",
  "_pxappid",
  "_incapsula_resource",
  "incapsula incident",
  "distil_r_captcha",
  "awswafcookiedomainlist",
  "awswafintegration",
  "token.awswaf.com",
  "aws-waf",
  "kpsdk",
  "sucuri website firewall",
  "ddos-guard",
  "perfdrive.com",
  "validate.perfdrive",
  "hcaptcha.com/1/api.js",
  "google.com/recaptcha",
  "recaptcha.net/recaptcha",
  "g-recaptcha",
  "h-captcha",
  "geetest",
  "arkoselabs",
  "friendlycaptcha",
  "vercel security checkpoint",
  "within.website/x/cmd/anubis",
  "akam/13/pixel",
  "bm-verify",
  "sec-if-cpt-container",
  "errors.edgesuite.net",
] as const;

/** Words of such pages, in the title or in the text. */
export const challengeWords =
  /\b(?:just a moment|you are (?:now |currently )?(?:in (?:the )?(?:line|queue)|being held in a (?:queue|waiting room))|your estimated wait(?:ing)? time|attention required|checking (?:your|the|if the) (?:browser|site|connection)|verif(?:y|ying) (?:that )?you(?:'re| are) (?:a )?(?:human|not a (?:ro)?bot)|are you (?:a )?(?:human|(?:ro)?bot)|(?:prove|confirm) (?:that )?you(?:'re| are) (?:a )?(?:human|not a (?:ro)?bot)|i'?m not a (?:ro)?bot|(?:make|making) sure (?:that )?you(?:'re| are) not a (?:ro)?bot|checking (?:that )?you(?:'re| are) (?:not a (?:ro)?bot|(?:a )?human)|(?:enter|type) the (?:characters|letters) (?:that )?you see (?:below|above|here|(?:in|on) the (?:image|picture))|your access to this (?:site|service|page) (?:has been|is|was) (?:temporarily )?(?:limited|restricted|suspended)|unusual (?:traffic|activity)|automated (?:requests?|access|queries|traffic)|pardon our interruption|human verification|security (?:check(?:point)?|verification)|complete the (?:captcha|security check)|ddos protection|press (?:and|&) hold|request (?:was )?(?:blocked|unsuccessful)|has been blocked|access (?:to this page )?(?:has been |is |was )?denied|support id is|incident id|reference #[0-9a-f.]+|ray id|too many requests|rate limit(?:ed)?)\b/iu;

/** Words that address one visitor only: they indicate a wall, whatever else the page says. */
export const accusation =
  /\bmade us think (?:that )?you (?:are|were) (?:a |an )?(?:ro)?bot\b|\bwe (?:believe|think|suspect) (?:that )?you are (?:a (?:ro)?bot|using automat(?:ion|ed))\b/iu;

/** Consent tools that can stand in for the whole page. */
export const consentMarkup = [
  "consent.google",
  "consent.youtube",
  "guce.",
  "collectconsent",
  "consent-form",
  "sp_message_container",
  "privacy-mgmt.com",
  "onetrust",
  "cookiebot",
  "usercentrics",
  "didomi",
  "quantcast.mgr",
  "trustarc",
  "fundingchoicesmessages",
  "consentmanager.net",
  "iubenda_cs",
  "axeptio",
  "cookiewall",
  "consent-wall",
] as const;

export const consentWords =
  /\b(?:before you continue|we (?:value|respect|care about) your privacy|(?:we|this (?:web)?site|our partners|and our partners) (?:and our \d* ?partners )?(?:use|uses|store|process)[^.]{0,60}cookies|accept (?:all )?(?:cookies|and continue|& continue)|(?:accept|reject|agree to) all|manage (?:your )?(?:cookies?|consent|privacy|preferences|choices)|consent to (?:the use of )?cookies|your privacy choices|cookie (?:settings|preferences|consent)|legitimate interest|verify (?:that you are of (?:legal )?age|your age)|you must be (?:of legal (?:drinking |smoking )?age|(?:at least |over )?\d\d(?: years (?:old|of age))?(?: or older| or over)?) to (?:enter|view|access|visit) (?:this|the|our) (?:web ?)?(?:site|page|content))\b|\bare you (?:over|at least) \d\d(?: years (?:old|of age))?\?|verwende[nt] (?:wir )?cookies|alle akzeptieren|alles akzeptieren|mit werbung weiter(?:lesen|surfen|nutzen)|bevor (?:sie|du) (?:fort|weiter)|utilis(?:ons|e|ent) des cookies|tout accepter|avant d'accéder|utiliza(?:mos|n)? cookies|aceptar todo|antes de continuar|utilizz(?:a|ano|iamo) i? ?cookie|accetta tutt[oi]|prima di continuare|gebruik(?:t|en) cookies|alles accepteren|voordat je verdergaat/iu;

/** The beginning of the title of a page that asks for consent before it leads on. */
export const consentTitle =
  /^(?:before you continue|bevor (?:sie|du) (?:fort|weiter)|avant d'accéder|antes de continuar|prima di continuare|voordat je verdergaat)/iu;

/** The whole title or first heading of a page where one signs in. */
export const loginTitle =
  /^(?:please )?(?:(?:member |customer |account |user )?(?:log|sign)[ -]?(?:in|on)|single sign[ -]on|sso|authentication required|authori[sz]ation required|login required|anmelden|anmeldung|einloggen|connexion|se connecter|identifiez-vous|iniciar sesión|acceder|entrar|fazer login|accedi|inloggen|ログイン|登录)(?: (?:to|with|bei|à|en|na|a) .{1,60}| required| page)?(?:\s*[|·:–—-]\s.{1,80})?$/iu;

export const loginWords =
  /\b(?:(?:please )?(?:log|sign)[ -]?in (?:to (?:continue|view|see|read|access|your)|with)|you (?:must|need to|have to) (?:be )?(?:log(?:ged)?|sign(?:ed)?)[ -]?in|forgot(?:ten)? (?:your )?password|create an account|don't have an account|for members only|members?[- ]only (?:content|area|page|section|article)|subscribe to (?:continue|read|keep reading)|this (?:content|page|article|document) is (?:only )?(?:available |reserved )?(?:to|for) (?:members|subscribers|registered))\b|passwort vergessen|(?:haben sie|sie haben) (?:bereits |schon )?ein abo\b|(?:artikel|inhalt|text|beitrag) ist (?:nur |exklusiv |ausschließlich )?für abonnent|(?:article|contenu) (?:est )?réservé aux abonnés|(?:contenido|artículo|conteúdo|artigo) (?:es |é )?(?:exclusivo|solo|sólo) para (?:su[bs]scriptores|assinantes)|(?:articolo|contenuto) (?:è )?riservato agli abbonati|artikel is alleen voor abonnees|mot de passe oublié|olvidaste tu contraseña|esqueceu (?:a|sua) senha|password dimenticata|wachtwoord vergeten/iu;

/** The title or first heading of an error page. */
export const errorTitle =
  /^welcome to (?:nginx|openresty|caddy)!?$|^apache\d? (?:[a-z]+ )?default page(?:: it works)?$|^test page for the (?:apache|nginx|http) .{0,40}server|^iis windows server$|^(?:web server's )?default (?:web ?site )?page$|^(?:(?:http |status |server )?error:?\s*)?(?:40[0-9]|410|429|451|50[0-9]|52[0-9])(?:\s*(?:[-–—|:.]|error|not found|page|forbidden|bad|gone|service|internal|gateway|request|unavailable|$)|$)|^(?:oops|whoops|uh[ -]oh|sorry)(?:[!.,…:]|\s+(?:that|the|we|this|but|something|page|there|you)\b|$)|^(?:error|server error|application error|an error (?:has )?occurred|runtime error|fatal error)\b\s*(?:[-–—|:].*)?$|\b(?:page|file|document|content|article|resource|site) (?:is |was |could |can)?(?:not|cannot|can't|no longer) (?:be )?(?:found|available|exists?|accessible)|^(?:page |object |site |website )?not found\b|^no such (?:app|site|page|project|deployment)\b|^(?:\w+ )?(?:doesn't|does not) exist|^(?:(?:the )?service (?:is )?|temporarily |site )?unavailable\b|^(?:bad gateway|gateway time-?out|forbidden|internal server error|service (?:temporarily )?unavailable)|(?:down for|under|scheduled|site) maintenance\b|^maintenance(?: mode| page| work| in progress| break)?(?:\s*[-–—|:].*)?$|^coming soon(?:\s*[-–—|:!].*)?$|^(?:opening|launching) soon[!.]?$|^(?:(?:this |our |web ?)?(?:site|page) )?under construction(?:\s*[-–—|!.].*)?$|^account suspended|^(?:this )?domain (?:name )?(?:has |is )?(?:for sale|parked|expired)|^(?:web ?site|account) (?:has |is )?expired(?:\s*[-–—|!.].*)?$|^your session (?:has |is )?(?:expired|timed out)(?:\s*[-–—|!.].*)?$|seite (?:wurde )?nicht gefunden|page (?:introuvable|non trouvée)|página no encontrada|página não encontrada|pagina non trovata|pagina niet gevonden|^(?:ただいま)?メンテナンス中|^(?:系统|网站|站点)?(?:正在)?维护中|^系统维护|^техническ(?:ие|ое) (?:работы|обслуживание)|^(?:на сайте )?ведутся технические работы|^underhåll(?: pågår)?$|^przerwa techniczna|^(?:서버 |시스템 )?점검 ?중|fehler\b/iu;

/** Words of error pages. */
export const errorWords =
  /\b(?:something(?:'s| has| is)? (?:gone|went|go) wrong|(?:page|file|document|content|article|resource|url|address|link)(?: that)?(?: you(?:'re| are| were)? [^.]{1,40})? (?:could ?n[o']t|can ?not|can't|was not|wasn't|is not|isn't|does not|doesn't|no longer|has been (?:moved|removed|deleted)|may have been|might have been|have moved|has moved)|(?:can't|cannot|could ?n[o']t|couldn't|unable to) (?:seem to )?(?:find|locate|load|display|open) (?:the|that|this|what|your) ?(?:page|file|document|content|site)?|(?:try(?: your request)?|check back|come back) (?:again )?(?:later|soon|shortly|in a few)|an? (?:unexpected |internal |technical |application |server-side |client-side )*(?:error|exception|problem) (?:has )?occurred|we(?:'re| are) (?:currently )?(?:experiencing|having|working on|performing|doing|down)|temporarily (?:unavailable|down|overloaded|unable)|(?:there has been|encountered) an? (?:critical|fatal|unexpected|internal|technical) error|access cannot be granted at this time|unavailable (?:due to|for) legal reasons|there is(?: no|n't an?) (?:\S{1,20} ){0,2}(?:web ?)?site (?:here|at this address)|owner of this (?:web ?)?site, please contact your hosting provider|(?:web ?)?(?:site|page) is (?:currently |now )?(?:unavailable|offline)|(?:site|page|currently|we're|we are) (?:is )?(?:currently )?undergoing (?:\w+ ){0,3}maintenance|request could not be satisfied|you requested is missing|(?:is|are|currently|temporarily|site|page|down) (?:\w+ )?under (?:maintenance|construction)|be (?:right )?back (?:soon|shortly|online)|(?:go|back|return)(?: back)? (?:to )?(?:the )?home ?(?:page)?|service unavailable|server error|no server is available|(?:connection|request) timed out|backend fetch failed|guru meditation|database (?:connection|error)|this domain|buy this domain|upstream (?:connect|request))\b|seite (?:existiert|wurde) nicht|n'existe (?:pas|plus)|no existe|não existe|non esiste|bestaat niet|(?:est|sont|site|actuellement) en maintenance|maintenance (?:est )?en cours|wird (?:gerade |derzeit )?gewartet|wartungsarbeiten|wartungsmodus|en mantenimiento|em manutenção|in manutenzione|in onderhoud|versuchen sie es (?:später|erneut)|réessayer plus tard|inténtalo (?:más tarde|de nuevo)|riprova più tardi|probeer het later/iu;

/** With what a program that ended begins, in place of the page. Whoever explains such errors tells more. */
export const crashWords = /^(?:(?:unable|failed) to connect to\b|(?:fatal|parse) error: .{1,200} on line \d)/imu;

/** The title of those who sell a name, and what they say below it. */
export const saleTitle =
  /^(?:the domain )?[\w-]{1,63}(?:\.[\w-]{1,63}){1,4} is for sale\b|\bthis (?:web ?site|domain)(?: name)? is for sale\b/iu;
export const saleWords =
  /\b(?:buy now|buy this domain|make an? offer|payment plan|price on request|domain (?:expert|broker|marketplace)|is your first and best source for (?:all of )?the information)\b/iu;

/** Sentences of those who keep names without a site. */
export const parkedWords =
  /sponsored listings displayed above are served|\b(?:page|site) (?:was generated by|is provided to|provided to) the domain owner\b|\bthis (?:web ?)?page is parked\b|\bdomain (?:name )?\S{1,80} (?:may be for sale by its owner|expired on .{1,40} pending renewal)/iu;

/** Where scripts put content that is not in the markup. */
export const appRoot =
  /<(?:div|app|main|section)[^>]{0,200}\bid\s*=\s*["']?(?:root|app|__next|__nuxt|app-root|application|ember-app|svelte|___gatsby|react-root|main-app|mount|q-app|container)["']?[^>]{0,200}>\s*(?:<(?:div|span|img|p|svg|noscript|!--)[^>]{0,200}>\s*){0,6}(?:loading[.…]*\s*)?(?:<\/[a-z]{1,10}>\s*){0,8}(?:<script|<noscript|<\/body|<!--|$)|<app-root[^>]{0,200}>\s*<\/app-root>/iu;

export const needsScript =
  /\b(?:enable|activate|turn on|requires?|needs?) (?:your )?(?:java ?script|js)|java ?script (?:is |to be |must be )?(?:disabled|required|enabled|not (?:enabled|available|supported))|(?:your )?browser (?:is |does )?(?:not|n't|no longer) support|javascript (?:aktivieren|erforderlich)|activer javascript|activa(?:r)? javascript|attiva javascript|you need to enable|loading[.…]*$|redirect(?:ed|ing)\b/iu;
