"""The signals of lines that belong to what precedes them: footers, and notes that limit what they stand under."""

from __future__ import annotations

from ._signal import Row, Signal, Where

__all__ = ["DIGITS", "FOOTERS", "KEY", "LETTERS", "NOTES", "note"]

# What patterns are made of.

_MARKS = r"[\W_]*"
_END = r"[\W_]*$"
KEY = r"[\s*_]*[:：][\s*_]*"
"""The colon behind a key, and the emphasis marks around it."""
_MONTH = r"[^\W\d_]{3,12}\.?"
_DATE = (
    r"(?:\d{1,2}(?:\.|st|nd|rd|th|er)? (?:of |de )?" + _MONTH + r"(?: de| del)?,? \d{4}"  # 1. Januar 2026, 1 de enero
    r"|" + _MONTH + r" (?:\d{1,2}(?:st|nd|rd|th)?,? )?(?:de )?\d{4}"  # June 30, 2026; Januar 2026
    r"|\d{1,4}[-./]\d{1,2}(?:[-./]\d{1,4})?(?:,? \d\d:\d\d)?"
    r"|(?:令和|平成)?(?:\d{1,4}|元) ?[年년] ?(?:\d{1,2} ?[月월] ?)?(?:\d{1,2} ?[日일])?"
    r"|(?:q[1-4][/ ]?)?\d{4}|\d{1,2}\.? " + _MONTH + r"|" + _MONTH + r" \d{1,2})"
)
_VALUE = r"(?=.{0,25}\d)[^!?。！？;；]{1,60}$"
"""What stands behind a key: short, with a figure in it."""
_TEXT = r"\S.{0,150}$"
_MORE = r"(?:(?: ?[·•|] ?| [/–—-] |, ).{1,120})?"
"""What else stands in the line behind a date: author, place, time."""
_COLUMNS = r" ?[·•|] ?\S.{0,120}$"
"""More of the line behind a mark that no sentence has."""
_CLAUSE = r"[^:;]{2,140}(?<![:,])$"
_NO_VERB = r"(?!.*\b(?:is|are|was|were|will|can|must|has|have|should|may|might|does|do|need|needs)\b)"
_OHNE_VERB = r"(?!.*\b(?:ist|sind|war|wird|werden|kann|können|muss|müssen|hat|haben|gibt|sollte|soll|darf|dürfen)\b)"
_PAPER = (
    r"(?:polic(?:y|ies)|documents?|agreements?|terms|guidelines?|sections?|tables?|rates?|prices?|rules?|versions?|"
    r"regulations?|procedures?|notices?|offers?|fees?|licen[cs]es?|exceptions?|instructions?|schedules?|contracts?)"
)
_PAPIER = (
    r"(?:\w*richtlinien?|dokument|\w*ordnung|vereinbarung|\w*bedingungen|regelung(?:en)?|\w*preise?|\w*liste|angebot|"
    r"tabelle|\w*anweisung|version|fassung|satzung|vertrag|\w*sätze|\w*pauschalen?|ausnahmen?)"
)
_PAPIER_DIE = r"(?:(?:alle|die|der|das|diese[rs]?|unsere) (?:[\w-]+ )?)?" + _PAPIER
_PAPER_THE = r"(?:all |these |the |our |this )?(?:[a-z-]+ ){0,2}" + _PAPER
_PAPIER_LES = r"(?:(?:les|ces|nos|le|la|cette|ce) )?(?:prix|tarifs?|offres?|conditions|documents?|politique|règles?)"
_PAPEL_LOS = (
    r"(?:(?:los|estos|las|estas|est[ea]|la|el) )?"
    r"(?:precios|tarifas?|ofertas?|condiciones|documento|política|normas?)"
)


def note(name: str, language: str, begins: str, pattern: str, *, qualifies: bool = True, beside: Where = "") -> Row:
    return begins, Signal(name, "backward", language, f"^{_MARKS}(?:{pattern})", qualifies, beside)


def footer(name: str, language: str, begins: str, pattern: str) -> Row:
    return note(name, language, begins, pattern, qualifies=False)


DIGITS = "0 1 2 3 4 5 6 7 8 9"
LETTERS = "a. b. c. d. e. f. g. h. i. v. x. l. ii iv vi ix xi xv xx xl a) b) c) d) e) f) g) h) i) v)"

_OF = r"(?: ?(?:of|von|sur|de|di|/|من|共) ?\d{1,5})?"
_BESIDE_NUMBER = r"(?: ?[|·•–—-] ?[^.!?]{0,60}| [|·•/] [^!?]{1,90})?[\s*_)\]]*$"

FOOTERS: tuple[Row, ...] = (
    footer("page_number", "*", "page seite página pagina صفحة पृष्ठ 페이지",
            r"(?:page|seite|página|pagina|صفحة|पृष्ठ|페이지)\W{0,3}\d{1,5}" + _OF + _BESIDE_NUMBER),
    footer("page_number", "*", DIGITS, r"\d{1,5} ?(?:/|of|von|sur|de) ?\d{1,5}" + _END),
    footer("page_number", "*", "- – — ~", r"(?<=[-–—~ ])\d{1,5} ?[-–—~]$"),
    footer("page_number", "zh", DIGITS + " 第 共",
            r"(?:共 ?\d+ ?[页頁] ?[,，/]? ?)?第? ?\d+ ?(?:页|頁|ページ)(?: ?[/／,，]? ?共? ?\d+ ?(?:页|頁|ページ)?)?"
            + _END),
    footer("confidential", "en", "strictly company highly confid propri internal for_internal",
           r"(?:strictly |company |highly )?"
            r"(?:confidential|proprietary|(?:for )?internal use only)"
            r"(?: ?[-–—|:/·(].{0,90}| (?:and|&) (?:confidential|proprietary).{0,30})?" + _END),
    footer("confidential", "de", "streng firmen vertrau nur_",
            r"(?:streng |firmen)?(?:vertraulich|nur für den (?:internen|dienst)\w*.?gebrauch)(?: "
            r"?[-–—|:/·(].{0,90})?" + _END),
    footer("confidential", "fr", "strict confid", r"(?:strictement )?confidentiel(?: ?[-–—|:/·(].{0,90})?" + _END),
    footer("confidential", "es", "estrict confid", r"(?:estrictamente )?confidencial(?: ?[-–—|:/·(].{0,90})?" + _END),
    footer("confidential", "ja", "社外秘 部外秘 機密 極秘 取扱注意 内部资料 内部資料 机密 绝密 대외비",
            r"(?:社外秘|部外秘|機密|極秘|取扱注意|内部资料|内部資料|机密|绝密|대외비)(?:[ 　\-–—|:：/·(（].{0,60})?"
            + _END),
    footer("copyright", "*", "© c) copyr", r"(?<![^\W_])(?:(?<=\()c\)[\s*_]*\d{4}.{0,120}|(?<=©)[\s*_]*\S.{0,120}|"
            r"copyright\b[\s*_]*(?:©|\(c\))?[\s*_,:]*(?:\d{4}|by ).{0,120})$"),
    footer("copyright", "*", "all_rights alle_rechte tous_droits todos_los 版权 版權 無断 不許 무단",
            r"(?:all rights reserved|alle rechte vorbehalten|tous droits réservés|todos los derechos reservados|"
            r"版权所有|版權所有|無断転載|不許複製|무단 전재).{0,60}$"),
)  # fmt: skip
"""Lines that belong to what precedes them and limit nothing."""

NOTES: tuple[Row, ...] = (
    # As of, version.
    note("stand", "de", "stand fassung", r"(?:stand|fassung)\b(?: ?(?:vom|zum))?"
          r"(?:" + KEY + r"(?:vom |zum )?(?:" + _VALUE + "|" + _DATE + _MORE + r"$)|[\s*_]*" + _DATE + _END + ")"),
    note("as_of", "en", "as_of as_at status prices rates data figures",
          r"(?:status |prices |rates |data |figures )?as (?:of|at)[\s:*_]*" + _DATE + _END),
    note("version", "*", "docu policy dokument 文档 文檔 文件 当前 version versi revis rev release edit édit edici "
         "ausgabe fassung "
         "バージョン "
         "版 버전 "
          "الإصدار संस्करण", r"(?:document |policy |dokument(?:en)?|文[档檔件]|当前)?"
          r"(?:version|versión|revision|revisión|rev\.?|"
          r"release|edition|"
          r"édition|edición|ausgabe|fassung|バージョン|版本号?|版数|版次|버전|الإصدار|संस्करण)"
          r"(?:" + KEY + _VALUE + r"|[\s*_]+v?\d[\w.-]*(?:[\s,;|·(–—-]+(?:vom|of|from|dated|du|del|stand|as of)?"
          r"[\s:]*" + _DATE + ")?(?:" + _COLUMNS + "|" + _END + "))"),
    note("version", "*", "v0 v1 v2 v3 v4 v5 v6 v7 v8 v9", r"v\d+(?:\.\d+)+(?:[\s,;|·(–—-]+" + _DATE + ")?" + _END),
    note("version", "ja", "第 初版", r"(?:第 ?[\d一二三四五六七八九十]+ ?版|初版)(?:[\s　:：(（]*" + _DATE
         + r".{0,8})?" + _END),
    # Last updated.
    note("updated", "en", "last recently", r"(?:last|recently)[ -](?:updated?|modified|revised|revision|reviewed|"
         r"changed|"
          r"edited|amended)(?: on| at| by)?[\s:*_–-]*(?:" + _VALUE + "|" + _DATE + _COLUMNS + ")"),
    note("updated", "en", "created updated modif revis review amend issued release date",
         r"(?:created|updated|modified|revised|reviewed|"
          r"amended|issued|released|release date|revision date|date of (?:issue|revision|publication))(?: on)?"
          r"(?:" + KEY + r"(?:prerelease\b.{0,20}$|" + _VALUE + r")|[\s*_]*" + _DATE + _END + ")"),
    note("updated", "de", "zuletzt letzt aktual geänd überarb änder erstellt",
         r"(?:(?:zuletzt|letztmals) (?:aktualisiert|geändert|"
          r"bearbeitet|überarbeitet|geprüft)|letzte[rn]? (?:aktualisierung|änderung|bearbeitung|überarbeitung|prüfung)|"
          r"(?:erstellt|aktualisiert|geändert|überarbeitet) am|änderungsdatum)(?: am)?[\s:*_]*" + _VALUE),
    note("updated", "fr", "date derni mis révis créé",
         r"(?:(?:date de )?dernière (?:mise à jour|modification|révision)|"
          r"mise?s? à jour le|(?:révisé|créé)e? le)[\s:*_]*(?:le )?" + _VALUE),
    note("updated", "es", "última fecha actual revis creado",
         r"(?:última (?:actualización|modificación|revisión)|(?:fecha "
         r"de )?"
          r"actualiza(?:do|da|ción)(?: el| en)?|(?:revisado|creado) el)[\s:*_]*" + _VALUE),
    note("updated", "ja", "最終 更新 改訂 改定 制定 作成 発行 トピック ページ 記事 文書 本",
          r"(?:(?:トピック|ページ|記事|本?文書|本資料)の)?"
          r"(?:最終(?:更新|改訂|改定|確認)|更新|改訂|改定|制定|作成|発行)(?:日時?|年月日)?[\s:：*_]*" + _DATE
          + r".{0,20}$"),
    note("updated", "ja", "0 1 2 令和 平成", r"(?:\d{4} ?年|令和|平成).{0,20}(?:現在|時点|改訂|改定|更新|制定)" + _END),
    note("updated", "zh", "最后 最近 最後 上次 文档 本文 页面 更新 修订 修訂 修改 发布 發佈 發布",
          r"(?:最后|最近|最後|上次|文档|本文|页面)?(?:更新|修订|修訂|修改|发布|發佈|發布)(?:时间|時間|日期|于|於|"
          r"日)?[\s:：*_]*" + _DATE + r".{0,20}$"),
    note("updated", "zh", "截至 截止", r"(?:截至|截止(?:到|至)?)\s?" + _DATE + r"[^，,。]{0,12}" + _END),
    note("updated", "ko", "최종 마지막 최근 업데이트 수정 개정 갱신",
          r"(?:최종|마지막|최근)? ?(?:업데이트|수정일?|개정일?|갱신일?)(?: 날짜| 일자)?[\s:：*_]*" + _VALUE),
    note("updated", "ar", "آخر تاريخ", r"(?:آخر تحديث|تاريخ التحديث)[\s:*_]*" + _VALUE),
    note("updated", "hi", "अंतिम अद्यतन", r"(?:अंतिम (?:अपडेट|अद्यतन)|अद्यतन)[\s:*_]*" + _VALUE),
    # Validity and effective dates.
    note("validity", "en", "all_ these_ the_ our_ this_ valid in_force in_effect bind guaran policy policies doc agree "
         "terms guide rates rate price "
          "rules offer fees regul lic", r"(?:" + _PAPER_THE + r" (?:is |are |remains? |shown )?(?:only )?)?"
          r"(?:valid|in (?:force|effect)|binding|guaranteed)\b(?: only| exclusively)?"
          r"(?: (?:from|until|till|through|thru|as of|since|between|for|only|to|within)\b|" + KEY + r")[\s*_]*" +
          _CLAUSE),
    note("validity", "en",
         "valid expir this_ the_ offer", r"(?:validity|valid (?:from|to|until|through)|validity period|"
          r"expir(?:y|ation)(?: date)?|(?:(?:this|the) )?(?:[a-z-]+ )?(?:offer )?expires(?: on)?)[\s:*_]+" + _VALUE),
    note("validity", "de",
         "alle_ die_ der_ das_ diese unsere_ nur_ gültig ausschl richtl dok preis reise angebot tabelle "
         "verein",
          r"(?:" + _PAPIER_DIE + r" (?:ist |sind |bleibt |bleiben )?)?(?:nur |ausschließlich )?gültig(?:keit)?\b"
          r"(?:" + KEY + r"| (?:nur|ausschließlich|ab|bis|vom|von|für|seit|in|im)\b)[\s*_]*" + _TEXT),
    note("validity", "de", "gültigkeit", r"gültigkeit(?:szeitraum|sdauer)?" + KEY + _TEXT),
    note("validity", "fr", "les_ ces_ nos_ le_ la_ cette_ ce_ prix tarif offre condi docu polit règle valable valide "
         "en_vigueur applic",
          r"(?:" + _PAPIER_LES + r" )?(?:est |sont |reste |restent )?(?:valables?|valides?|en vigueur|applicables?) "
          r"(?:jusqu|du\b|depuis|à (?:partir|compter)|uniquement|seulement|pour\b|dès|aux? seul)" + r".{1,150}$"),
    note("validity", "fr", "valid durée date entrée",
          r"(?:validité|durée de validité|date d[’']effet|entrée en vigueur)" + KEY + _TEXT),
    note("validity", "es",
         "los_ estos_ las_ estas_ este_ esta_ la_ el_ precios tarifa oferta condic docu polít norma válid "
         "vigente aplic",
          r"(?:" + _PAPEL_LOS + r" )?(?:es |son )?(?:válid[oa]s?|vigentes?|aplicables?) "
          r"(?:hasta|desde|del|a partir|solo|sólo|solamente|únicamente|para)\b.{0,150}$"),
    note("validity", "es", "vigencia validez fecha", r"(?:vigencia|validez|fecha de (?:vigencia|vencimiento))" + KEY +
         _TEXT),
    note("validity", "ja", "有効 適用 施行 発効",
          r"(?:(?:有効|適用)(?:期限|期間|日)|(?:施行|発効|適用開始)(?:日|年月日))(?:" + KEY + _TEXT + r"|[\s*_]*"
          + _DATE + r".{0,20}$)"),
    note("validity", "ja", "本 この 当 上記 以上 0 1 2 令和 平成", r"[^。]{0,40}" + _DATE
         + r"(?:から|より|以降|まで|に)"
          r"(?:有効|適用|施行)(?:です|となります|します|する|とする|される)?" + _END),
    note("validity", "zh", "有效 生效 施行 实施 失效", r"(?:有效期[至限间間]?|(?:生效|施行|实施|失效)(?:日期|时间|"
         r"時間|日))"
          r"(?:" + KEY + _TEXT + r"|[\s*_]*" + _DATE + r".{0,20}$)"),
    note("validity", "zh", "本 以上 上述 该 該", r"(?:本|以上|上述|该|該).{0,16}(?:自|于|於|从|從|截至|有效期至)\s?"
         + _DATE
          + r"[^，,。]{0,10}(?:生效|施行|实施|實施|有效|执行)?" + _END),
    note("validity", "ko", "유효 시행 적용", r"(?:유효 ?(?:기간|기한)|시행 ?일자?|적용 ?(?:기간|시작일))[\s:：*_]*"
         + _VALUE),
    note("effective", "en", "this_ the_ these_ date effect in_effect in_force policy policies doc terms", r"(?:" +
         _PAPER_THE
          + r" (?:is|are|becomes?|takes?|comes? into) )?(?:date )?(?:effective|effect|in effect|force)"
          r"(?: date| as of| from| since| on| until)?[\s:*_]*" + _DATE + _END),
    note("effective", "en", "effective", r"effective (?:date|from|until)" + KEY + _VALUE),
    note("effective", "de",
         "diese die_ der_ das_ sie_", r".{0,90}\b(?:tritt|treten) (?:am|zum|mit|ab)\b.{1,60}in kraft" +
         _END),
    note("effective", "de", "in_kraft wirksam", r"(?:in kraft|wirksam)(?:getreten)? (?:ab|seit|am|zum)\b[\s:]*" +
         _VALUE),
    # Scope and replacement.
    note("scope", "en", "this_ these_ the_", r"(?:this|these|the) (?:[a-z-]+ ){0,2}" + _PAPER +
         r"(?: and [a-z]+)? (?:only )?"
          r"(?:does not |do not )?(?:applies|apply|are applicable|is applicable) (?:only |exclusively |solely )?"
          r"(?:to|for|from|until|as of|in)\b.{1,150}(?<![:,])$"),
    note("scope", "en", "this_ it_applies it_only which_ only_ appl",
         r"(?:(?:this|it|which) )?(?:only )?(?:applies|applicable) "
          r"(?:only|exclusively|solely) (?:to|for|from|until|as of|in|if|when|where)\b.{1,150}(?<![:,])$"),
    note("scope", "en", "appli", r"appl(?:ies|icable) to" + KEY + _TEXT),
    note("scope", "en", "appli", r"(?-i:Applies) to .{2,150}(?<![:,])$"),
    note("scope", "en", "only_ not_ exclus", r"(?:only|not|exclusively) (?:valid |applicable |available )?"
          r"(?:for|in|from|until|within)\b" + _NO_VERB + _CLAUSE),
    note("scope", "de", "diese die_ der_ das_ dies_ es_gilt gilt gelten", r"(?:" + _PAPIER_DIE +
         r" |dies |das |es )?(?:gilt|gelten) "
          r"(?:nur|ausschließlich|ab|bis|erst|seit|nicht)\b.{1,140}(?<![:,])$"),
    note("scope", "de", "nur_ nicht_ ausschl", r"(?:nur|nicht|ausschließlich) (?:gültig |anwendbar |verfügbar )?"
          r"(?:für|in|im|bei|ab|bis)\b" + _OHNE_VERB + _CLAUSE),
    note("scope", "de", "geltungs anwendungs", r"(?:geltungsbereich|anwendungsbereich)" + KEY + _TEXT),
    note("scope", "fr", "ces_ ce_ cette_ les_ la_ le_ ne_ s' s’", r"(?:(?:ces?|cette|les|la|le) [\w-]+ )?(?:ne )?"
          r"s[’']appliquen?t? (?:uniquement|seulement|exclusivement|qu)" + r".{1,150}$"),
    note("scope", "es", "los_ estos_ las_ estas_ este_ esta_ la_ el_ se_ aplica",
         r"(?:(?:est[aeo]s?|los|las|la|el) [\w-]+ )?(?:se )?"
          r"aplican? (?:solo|sólo|solamente|únicamente|exclusivamente)\b.{2,150}$"),
    note("scope", "ja", "適用 対象", r"(?:適用(?:範囲|対象)|対象範囲)" + KEY + _TEXT),
    note("scope", "ja", "本 この 当 上記 以上 料金 価格", r"[^。]{2,80}(?:のみ|に限り|に限って)(?:に|、)?"
          r"(?:有効|適用)(?:です|となります|します|する|とする|される|されます)?" + _END),
    note("scope", "zh", "适用 適用 本 仅 僅 只", r"(?:(?:适用|適用)(?:范围|範圍|对象|對象)" + KEY
          + r"|(?:本[^，。]{1,10})?(?:仅|僅|只)(?:适用于|適用於|限于?|限於))[\s*_]*" + _TEXT),
    note("scope", "ko", "적용", r"적용 ?(?:범위|대상)" + KEY + _TEXT),
    note("supersedes", "en",
         "this_ the_ supers replace obsolete", r"(?:(?:this|the) (?:[a-z-]+ ){0,2}" + _PAPER + r" )?"
          r"(?:supersedes|replaces|superseded by|replaced by|obsoletes|obsoleted by)\b"
          r"(?=.*(?:\d|version|polic|document|edition|agreement|previous|earlier|prior))[\s:*_]*" + _CLAUSE),
    note("supersedes", "de", "diese die_ der_ das_ ersetz abgel", r"(?:" + _PAPIER_DIE + r" )?(?:ersetzt|ersetzen|"
          r"abgelöst durch|ersetzt durch)\b(?=.*(?:\d|version|fassung|richtlinie|dokument|vorherige|bisherige|frühere))"
          r"[\s:*_]*" + _CLAUSE),
    note("supersedes", "fr", "cette_ ce_ la_ le_ rempl annule", r"(?:(?:cette|ce|la|le) [\w-]+ )?(?:remplace|annule et "
         r"remplace)\b"
          r"(?=.*(?:\d|version|document|précédent))" + r".{2,150}$"),
    note("supersedes", "es", "esta_ este_ la_ el_ sustit reempl",
         r"(?:(?:esta|este|la|el) [\w-]+ )?(?:sustituye|reemplaza)\b"
          r"(?=.*(?:\d|versión|documento|anterior)).{2,150}$"),
    note("supersedes", "zh", "本 取代 替代 代替 废止 廢止",
          r"(?:本[^，。]{1,10})?(?:取代|替代|代替|废止|廢止).{0,40}(?:\d|版|规定|規定|文件).{0,40}$"),
    note("deprecated", "en", "deprecated", r"deprecated" + KEY + _TEXT, qualifies=False),
)  # fmt: skip
"""Lines that limit what precedes them: validity, version, date, scope."""
