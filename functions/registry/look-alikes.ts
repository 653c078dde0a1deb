/**
 * Letters that look like a Latin one: of Latin itself and of Greek, Cyrillic, Armenian, Coptic, Cherokee and Lisu, and signs of
 * currencies. From Unicode's confusables.txt (UTS #39); what NFKD makes Latin, such as full width and Roman numerals, is not repeated.
 */
const lookAlikes: Readonly<Record<string, string>> = {
  a: 'ᴀɑαаꓮꭺ',
  b: 'ʙƀƃƅɓβбвьѣҍᏼꓐꞵꮟ',
  c: '¢ȼςсҫᴄ₡ⲥꓚꮯ',
  d: 'ᴅðđƌɖɗԁ₫ꓒꓓꭰꮷ',
  e: 'ᴇ€ɇεеєҽҿꓰꬲꭼ',
  f: 'ꜰƒϝքᵮẝꓝꞙꬵ',
  g: 'ƍǥɠɡɢԍցᏻᶃꓖꮐ',
  h: 'ħɦʜнћңһӈӊհᏺⱨⲏꓧꚕꮋꮒ',
  j: 'ᴊɉʝϳјꓙꭻ',
  k: 'ƙκкқҟᴋ₭ⱪⲕꓗꝁꮶ',
  // a small l, a capital i, a one and a bar are one shape in many fonts
  l: '1i|∣ıłƚǀɨɩɪɫɭʟιіӏᵻᵼⲓⳑꓡꓲꙇꭵꮮ',
  m: 'μϻмӎᴍⲙꓟꮇ',
  n: 'ƞɲɳɴηпոռᵰⲛꓠ',
  o: '0øɵθοоѳөօᴏᴑⲟꓳꝋꬽꬾꭴꮎꮻ',
  p: 'ƥρрᴘᵽⲣꓑꮲ',
  q: 'ʠԛգզ',
  r: 'ɍɼɽʀгғᴦᵲⲅꓣꭇꭈꭱꮁꮢ',
  s: '$ƽʂѕտᵴꓢꜱꮥꮪ',
  t: 'ŧƭʈτтҭᴛᵵ₮ⱦⲧꓔꭲ',
  u: 'ʉʋυսᴜᵾꓴꞟꭎꭒꮜ',
  v: 'νѵᴠꓦꮩ',
  w: 'ɯωѡѽԝաᴡ₩ꓪꝡꮃꮤ',
  x: 'χхҳⲭꓫꭓ',
  y: '¥ƴɏɣʏγуүұᶌỿⲩꓬꭚꭹꮍ',
  z: 'ƶȥʐζᴢᵶꓜꮓ',
}

const latinLetters = new Map(
  Object.entries(lookAlikes).flatMap(([latin, others]) =>
    Array.from(others, (other): [string, string] => [other, latin]),
  ),
)

/** Blocks of 26 letters, A to Z, that NFKD leaves alone: white on black, and the halves of flags. */
const letterBlocks = [0x1f150, 0x1f170, 0x1f1e6] as const

function toLatin(letter: string): string {
  const point = letter.codePointAt(0) ?? 0
  const block = letterBlocks.find((first) => point >= first && point < first + 26)
  const plain = block === undefined ? letter : String.fromCodePoint(point - block + 0x61)
  return latinLetters.get(plain) ?? plain
}

/**
 * The shape of a name, for comparing names that people cannot tell apart: case, accents, spaces, punctuation and look-alike letters are
 * folded. It is not for showing.
 * @returns an empty text for a name without letters and digits
 */
export function foldLookAlikes(name: string): string {
  return (isPlain.test(name) ? foldPlain(name) : foldAll(name)).replaceAll('rn', 'm').replaceAll('vv', 'w')
}

/** Nearly all names are, and there are thousands. */
const isPlain = /^[\x20-\x7e]*$/

const foldPlain = (name: string) =>
  name
    .toLowerCase()
    .replace(/[01i|$]/g, toLatin)
    .replace(/[^a-z0-9]/g, '')

const foldAll = (name: string) =>
  Array.from(name.normalize('NFKC').toLowerCase().normalize('NFKD').replace(/\p{M}/gu, ''), toLatin)
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '')
