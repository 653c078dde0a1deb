/** Scripts of one language, or of languages of which one is by far the most frequent. */
const scriptLanguages: Readonly<Record<string, string>> = {
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
/** Scripts of many languages: their code in tags, and the language that is taken if the reader has none of them. */
const sharedScripts: Readonly<Record<string, { code: string; language: string }>> = {
  Latin: { code: 'Latn', language: 'en' },
  Cyrillic: { code: 'Cyrl', language: 'ru' },
  Arabic: { code: 'Arab', language: 'ar' },
}

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

function countLetters(text: string): Map<string, number> {
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
function findScript(counts: ReadonlyMap<string, number>): string | undefined {
  const joined = new Map(counts)
  joined.set('Han', (joined.get('Han') ?? 0) + countKana(counts))
  joined.delete('Hiragana')
  joined.delete('Katakana')
  const [script, count] = [...joined].reduce((best, each) => (each[1] > best[1] ? each : best))
  return count > 0 ? script : undefined
}

/** Texts of Chinese characters are Japanese with so many kana among them. */
const minKanaShare = 0.1
/** Whether a text of Chinese characters is Japanese. */
const isJapanese = (counts: ReadonlyMap<string, number>): boolean =>
  countKana(counts) > minKanaShare * (countKana(counts) + (counts.get('Han') ?? 0))

/** Languages of tags that browsers and voices call otherwise. */
const languageNames = new Map(
  Object.entries({ nb: 'no', nn: 'no', iw: 'he', in: 'id', cmn: 'zh', yue: 'zh', fil: 'tl' }),
)

/** The language of a tag such as `de-AT` or `de_AT`. */
const toLanguage = (tag: string): string => {
  const language = tag.split(/[-_]/)[0]?.toLowerCase() ?? ''
  return languageNames.get(language) ?? language
}

/** The languages of the reader and of the device. */
interface KnownLanguages {
  pageLanguage: string
  /** tags of the browser, such as `de-AT`, the preferred one first */
  browserLanguages: readonly string[]
  /** tags of the browser's voices; empty if it does not name them */
  voiceLanguages: readonly string[]
}

/** The tag for a language: the browser's variant of it, or that of a voice. */
function toTag(language: string, { browserLanguages, voiceLanguages }: KnownLanguages): string {
  const tag = [...browserLanguages, ...voiceLanguages].find((each) => toLanguage(each) === language)
  return tag?.replaceAll('_', '-') ?? language
}

/** Whether a language is written in a script. False for tags of browsers that are none, such as 'en-US@posix'. */
const isWrittenIn = (code: string) => (tag: string) => {
  try {
    return new Intl.Locale(tag).maximize().script === code
  } catch {
    return false
  }
}

/**
 * Finds the language in which each sentence of a text is read, by its letters. In a script of many languages it is the reader's: that of the
 * page, or else the first of the browser's with this script.
 * @returns tags such as `de-AT`, one for each sentence
 */
export function findLanguages(texts: readonly string[], known: KnownLanguages): string[] {
  const allCounts = countLetters(texts.join('\n'))
  const findLanguage = (counts: ReadonlyMap<string, number>): string => {
    const script = findScript(counts) ?? findScript(allCounts) ?? 'Latin'
    if (script === 'Han') return isJapanese(counts) || isJapanese(allCounts) ? 'ja' : 'zh'
    const shared = sharedScripts[script]
    if (!shared) return scriptLanguages[script] ?? 'en'
    const tag = [known.pageLanguage, ...known.browserLanguages].find(isWrittenIn(shared.code))
    return tag === undefined ? shared.language : toLanguage(tag)
  }
  return texts.map((text) => toTag(findLanguage(countLetters(text)), known))
}
