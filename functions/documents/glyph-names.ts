/** The characters of the 258 glyphs whose names a font need not write (OpenType, post, version 2); U+FFFD for those that have none. */
const standardGlyphs = Array.from(
  '\ufffd\ufffd\ufffd !"#$%&\'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü\u2020\u00b0\u00a2\u00a3\u00a7\u2022\u00b6ß\u00ae\u00a9\u2122\u00b4\u00a8\u2260ÆØ\u221e\u00b1\u2264\u2265\u00a5µ\u2202\u2211\u220f\u03c0\u222bªº\u2126æø\u00bf\u00a1\u00ac\u221aƒ\u2248\u2206\u00ab\u00bb\u2026 ÀÃÕŒœ\u2013\u2014\u201c\u201d\u2018\u2019\u00f7\u25caÿŸ\u2044\u00a4\u2039\u203a\ufb01\ufb02\u2021\u00b7\u201a\u201e\u2030ÂÊÁËÈÍÎÏÌÓÔ\ufffdÒÚÛÙı\u02c6\u02dc\u00af\u02d8\u02d9\u02da\u00b8\u02dd\u02db\u02c7ŁłŠšŽž\u00a6ÐðÝýÞþ\u2212\u00d7\u00b9\u00b2\u00b3\u00bd\u00bc\u00be\u20a3ĞğİŞşĆćČčđ',
)

/** Of the Adobe Glyph List for New Fonts: https://github.com/adobe-type-tools/agl-aglfn */
const namedCharacters: ReadonlyMap<string, string> = new Map(
  `AEacute:1fc Abreve:102 Alpha:391 Alphatonos:386 Amacron:100 Aogonek:104 Aringacute:1fa Beta:392 Ccircumflex:108
Cdotaccent:10a Chi:3a7 Dcaron:10e Dcroat:110 Ebreve:114 Ecaron:11a Edotaccent:116 Emacron:112 Eng:14a Eogonek:118
Epsilon:395 Epsilontonos:388 Eta:397 Etatonos:389 Euro:20ac Gamma:393 Gcaron:1e6 Gcircumflex:11c Gdotaccent:120 Hbar:126
Hcircumflex:124 IJ:132 Ibreve:12c Ifraktur:2111 Imacron:12a Iogonek:12e Iota:399 Iotadieresis:3aa Iotatonos:38a
Itilde:128 Jcircumflex:134 Kappa:39a Lacute:139 Lambda:39b Lcaron:13d Ldot:13f Mu:39c Nacute:143 Ncaron:147 Nu:39d
Obreve:14e Ohorn:1a0 Ohungarumlaut:150 Omacron:14c Omegatonos:38f Omicron:39f Omicrontonos:38c Oslashacute:1fe Phi:3a6
Pi:3a0 Psi:3a8 Racute:154 Rcaron:158 Rfraktur:211c Rho:3a1 Sacute:15a Scircumflex:15c Sigma:3a3 Tau:3a4 Tbar:166
Tcaron:164 Theta:398 Ubreve:16c Uhorn:1af Uhungarumlaut:170 Umacron:16a Uogonek:172 Upsilon:3a5 Upsilon1:3d2
Upsilondieresis:3ab Upsilontonos:38e Uring:16e Utilde:168 Wacute:1e82 Wcircumflex:174 Wdieresis:1e84 Wgrave:1e80 Xi:39e
Ycircumflex:176 Ygrave:1ef2 Zacute:179 Zdotaccent:17b Zeta:396 abreve:103 acutecomb:301 aeacute:1fd aleph:2135 alpha:3b1
alphatonos:3ac amacron:101 anoteleia:387 aogonek:105 aringacute:1fb arrowboth:2194 arrowdblboth:21d4 arrowdbldown:21d3
arrowdblleft:21d0 arrowdblright:21d2 arrowdblup:21d1 arrowdown:2193 arrowleft:2190 arrowright:2192 arrowup:2191
arrowupdn:2195 arrowupdnbse:21a8 beta:3b2 carriagereturn:21b5 ccircumflex:109 cdotaccent:10b chi:3c7 colonmonetary:20a1
dcaron:10f delta:3b4 dieresistonos:385 dong:20ab dotbelowcomb:323 ebreve:115 ecaron:11b edotaccent:117 emacron:113
eng:14b eogonek:119 epsilon:3b5 epsilontonos:3ad estimated:212e eta:3b7 etatonos:3ae exclamdbl:203c figuredash:2012
fiveeighths:215d gamma:3b3 gcaron:1e7 gcircumflex:11d gdotaccent:121 gravecomb:300 hbar:127 hcircumflex:125
hookabovecomb:309 ibreve:12d ij:133 imacron:12b iogonek:12f iota:3b9 iotadieresis:3ca iotadieresistonos:390
iotatonos:3af itilde:129 jcircumflex:135 kappa:3ba kgreenlandic:138 lacute:13a lambda:3bb lcaron:13e ldot:140 lira:20a4
longs:17f minute:2032 nacute:144 napostrophe:149 ncaron:148 nu:3bd obreve:14f ohorn:1a1 ohungarumlaut:151 omacron:14d
omega:3c9 omega1:3d6 omegatonos:3ce omicron:3bf omicrontonos:3cc onedotenleader:2024 oneeighth:215b onethird:2153
oslashacute:1ff peseta:20a7 phi:3c6 phi1:3d5 prescription:211e psi:3c8 quotereversed:201b racute:155 rcaron:159 rho:3c1
sacute:15b scircumflex:15d second:2033 seveneighths:215e sigma:3c3 sigma1:3c2 tau:3c4 tbar:167 tcaron:165 theta:3b8
theta1:3d1 threeeighths:215c tildecomb:303 tonos:384 twodotenleader:2025 twothirds:2154 ubreve:16d uhorn:1b0
uhungarumlaut:171 umacron:16b underscoredbl:2017 uogonek:173 upsilon:3c5 upsilondieresis:3cb upsilondieresistonos:3b0
upsilontonos:3cd uring:16f utilde:169 wacute:1e83 wcircumflex:175 wdieresis:1e85 weierstrass:2118 wgrave:1e81 xi:3be
ycircumflex:177 ygrave:1ef3 zacute:17a zdotaccent:17c zeta:3b6`
    .split(/\s+/)
    .map((entry) => entry.split(':') as [string, string])
    .map(([name, code]) => [name, String.fromCodePoint(Number.parseInt(code, 16))]),
)

/** @returns undefined for a name that says nothing, such as g17 */
function toCharacter(name: string): string | undefined {
  const [, hex] = /^(?:uni([0-9A-F]{4})|u([0-9A-F]{4,6}))$/.exec(name)?.filter(Boolean) ?? []
  const code = hex === undefined ? undefined : Number.parseInt(hex, 16)
  if (code !== undefined) return code <= 0x10_ff_ff ? String.fromCodePoint(code) : undefined
  if (/^[A-Za-z]$/.test(name)) return name
  return namedCharacters.get(name)
}

const maxGlyphs = 65_535

export function readGlyphNames(post: DataView | undefined): Map<number, string> {
  const characters = new Map<number, string>()
  if (!post || post.byteLength < 34 || post.getUint32(0) !== 0x2_00_00) return characters
  const count = Math.min(post.getUint16(32), maxGlyphs)
  const names: string[] = []
  for (let at = 34 + count * 2; at < post.byteLength && names.length < maxGlyphs;) {
    const length = post.getUint8(at)
    const end = Math.min(at + 1 + length, post.byteLength)
    names.push(
      Array.from({ length: end - at - 1 }, (_, index) =>
        String.fromCharCode(post.getUint8(at + 1 + index)),
      ).join(''),
    )
    at = end
  }
  for (let glyph = 0; glyph < count && 36 + glyph * 2 <= post.byteLength; glyph += 1) {
    const index = post.getUint16(34 + glyph * 2)
    const [base = ''] = (names[index - standardGlyphs.length] ?? '').split('.', 1)
    const character = standardGlyphs[index] ?? toCharacter(base)
    if (character !== undefined && character !== '\ufffd') characters.set(glyph, character)
  }
  return characters
}
