/**
 * Characters that look like a Latin letter: letters of Latin, Greek, Cyrillic, Armenian, Coptic, Cherokee and Lisu, and currency signs.
 * From Unicode's confusables.txt (UTS #39), without those that NFKD converts to Latin, such as full-width letters and Roman numerals.
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
  // in many fonts, l, I, 1 and | look the same
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

/** Blocks of the letters A to Z that NFKD does not convert: negative squared and circled letters, and regional indicators. */
const letterBlocks = [0x1f150, 0x1f170, 0x1f1e6] as const

/** The Latin letter that a letter in lower case looks like; l, i and 1 all become l. */
export function toLatin(letter: string): string {
  const point = letter.codePointAt(0) ?? 0
  const block = letterBlocks.find((first) => point >= first && point < first + 26)
  const plain = block === undefined ? letter : String.fromCodePoint(point - block + 0x61)
  return latinLetters.get(plain) ?? plain
}

/**
 * Folds case, accents, spaces, punctuation and look-alike letters, to compare names that look the same. Not for display.
 * @returns an empty text for a name without letters and digits
 */
export function foldLookAlikes(name: string): string {
  return (isPlain.test(name) ? foldPlain(name) : foldAll(name)).replaceAll('rn', 'm').replaceAll('vv', 'w')
}

/** A shortcut: nearly all of the thousands of names are plain. */
const isPlain = /^[\x20-\x7e]*$/

const foldPlain = (name: string) =>
  name
    .toLowerCase()
    .replace(/[01i|$]/g, toLatin)
    .replace(/[^a-z0-9]/g, '')

const foldAll = (name: string) =>
  Array.from(
    name
      .normalize('NFKC')
      .toLowerCase()
      .normalize('NFKD')
      .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, ''),
    toLatin,
  )
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '')
