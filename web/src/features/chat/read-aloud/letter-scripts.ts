/** Scripts of one language, or of languages of which one is by far the most frequent. */
export const scriptLanguages: Readonly<Record<string, string>> = {
  Hangul: 'ko',
  Hebrew: 'he',
  Greek: 'el',
  Thai: 'th',
  Devanagari: 'hi',
  Bengali: 'bn',
  Gurmukhi: 'pa',
  Gujarati: 'gu',
  Tamil: 'ta',
  Telugu: 'te',
  Kannada: 'kn',
  Malayalam: 'ml',
  Sinhala: 'si',
  Lao: 'lo',
  Khmer: 'km',
  Myanmar: 'my',
  Georgian: 'ka',
  Armenian: 'hy',
  Ethiopic: 'am',
}
/** Scripts of many languages, and the one that is taken if nothing is known. */
export const sharedScripts: Readonly<Record<string, string>> = { Latin: 'en', Cyrillic: 'ru', Arabic: 'ar' }
const scripts = [
  'Han',
  'Hiragana',
  'Katakana',
  ...Object.keys(sharedScripts),
  ...Object.keys(scriptLanguages),
].map((name) => ({ name, pattern: new RegExp(String.raw`\p{Script=${name}}`, 'u') }))

/** A cache, because there are many scripts and few letters. */
const scriptsOfLetters = new Map<string, string | undefined>()
function findLetterScript(letter: string): string | undefined {
  if (!scriptsOfLetters.has(letter))
    scriptsOfLetters.set(letter, scripts.find(({ pattern }) => pattern.test(letter))?.name)
  return scriptsOfLetters.get(letter)
}

/** Counts the letters of each script. */
export function countLetters(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [letter] of text.matchAll(/\p{L}/gu)) {
    const script = findLetterScript(letter)
    if (script !== undefined) counts.set(script, (counts.get(script) ?? 0) + 1)
  }
  return counts
}

const countKana = (counts: ReadonlyMap<string, number>): number =>
  (counts.get('Hiragana') ?? 0) + (counts.get('Katakana') ?? 0)

/** The script of most letters; undefined for a text without letters. Kana count as Chinese characters. */
export function findScript(counts: ReadonlyMap<string, number>): string | undefined {
  const joined = new Map(counts)
  joined.set('Han', (joined.get('Han') ?? 0) + countKana(counts))
  joined.delete('Hiragana')
  joined.delete('Katakana')
  const [script, count] = [...joined].reduce((best, each) => (each[1] > best[1] ? each : best))
  return count > 0 ? script : undefined
}

/** The text without letters of other scripts, such as those of formulas. */
export const keepScript = (text: string, script: string): string =>
  text.replaceAll(/\p{L}/gu, (letter) => (findLetterScript(letter) === script ? letter : ' '))

/** Texts of Chinese characters are Japanese with so many kana among them. */
const minKanaShare = 0.1
/** Whether a text of Chinese characters is Japanese. */
export const isJapanese = (counts: ReadonlyMap<string, number>): boolean =>
  countKana(counts) > minKanaShare * (countKana(counts) + (counts.get('Han') ?? 0))
