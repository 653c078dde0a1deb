import {
  countLetters,
  findScript,
  isJapanese,
  keepScript,
  scriptLanguages,
  sharedScripts,
} from './letter-scripts.ts'

/** Detects the languages that a text may be in, the likeliest first. @param only the languages to choose from; all if empty */
export type DetectLanguages = (text: string, only: readonly string[]) => readonly string[]

/** A shorter sentence says too little to tell all languages from each other. */
const minSentenceLetters = 15
/** The language of a text is detected from its beginning. */
const maxTextCharacters = 4_000

/** Names of languages in tags of browsers and voices that the detector calls otherwise. */
const detectorNames = new Map(
  Object.entries({ nb: 'no', nn: 'no', iw: 'he', in: 'id', cmn: 'zh', yue: 'zh', fil: 'tl' }),
)

/** The language of a tag such as `de-AT` or `de_AT`, by the detector's name. */
const toLanguage = (tag: string): string => {
  const language = tag.split(/[-_]/)[0]?.toLowerCase() ?? ''
  return detectorNames.get(language) ?? language
}

/** The languages of the user and of the device. */
interface KnownLanguages {
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

/** Whether a language is written in a script, by its own name. False for tags of browsers that are none, such as 'en-US@posix'. */
const isWrittenIn = (script: string) => (tag: string) => {
  try {
    const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? ''
    return findScript(countLetters(name)) === script
  } catch {
    return false
  }
}

interface Sentence {
  text: string
  /** letters of each script */
  counts: ReadonlyMap<string, number>
  /** that of most of its letters, or of the whole text */
  script: string
}

function readSentences(texts: readonly string[]): Sentence[] {
  const textScript = findScript(countLetters(texts.join('\n'))) ?? 'Latin'
  return texts.map((text) => {
    const counts = countLetters(text)
    return { text, counts, script: findScript(counts) ?? textScript }
  })
}

/** The language of all sentences in a script. */
function findScriptLanguage(
  script: string,
  sentences: readonly Sentence[],
  detect: DetectLanguages | undefined,
  { browserLanguages, voiceLanguages }: KnownLanguages,
): string {
  const text = sentences
    .filter((sentence) => sentence.script === script && sentence.counts.size > 0)
    .map((sentence) => sentence.text)
    .join('\n')
    .slice(0, maxTextCharacters)
  if (script === 'Han') return isJapanese(countLetters(text)) ? 'ja' : 'zh'
  const language =
    scriptLanguages[script] ?? detect?.(keepScript(text, script), voiceLanguages.map(toLanguage))[0]
  if (language !== undefined) return language
  const browserLanguage = browserLanguages.find(isWrittenIn(script))
  return browserLanguage === undefined ? (sharedScripts[script] ?? 'en') : toLanguage(browserLanguage)
}

/** Detects the language of a long sentence. One sentence hardly tells Danish from Norwegian: there that of the whole text decides. */
function detectLong(
  { text, script }: Sentence,
  detect: DetectLanguages,
  { textLanguage, voices }: { textLanguage: string; voices: readonly string[] },
): string {
  const [likeliest = textLanguage, second] = detect(keepScript(text, script), voices)
  return second === textLanguage ? textLanguage : likeliest
}

/**
 * Finds the language in which each sentence of a text is read. A short sentence is compared with the languages of the longer ones and of the
 * browser only; if that decides nothing, it has the language of the whole text.
 * @param detect undefined if the detector could not be loaded; then a text is in the browser's language that has its script
 * @returns tags such as `de-AT`, one for each sentence
 */
export function findLanguages(
  texts: readonly string[],
  detect: DetectLanguages | undefined,
  knownLanguages: KnownLanguages,
): string[] {
  const voices = knownLanguages.voiceLanguages.map(toLanguage)
  const browserVoices = knownLanguages.browserLanguages
    .map(toLanguage)
    .filter((language) => voices.length === 0 || voices.includes(language))
  const sentences = readSentences(texts)
  /** the language of the text in each of its scripts */
  const textLanguages = new Map<string, string>()
  for (const { script } of sentences)
    if (!textLanguages.has(script))
      textLanguages.set(script, findScriptLanguage(script, sentences, detect, knownLanguages))
  const getTextLanguage = (script: string) => textLanguages.get(script) ?? 'en'

  const longSentences = new Map<Sentence, string>()
  for (const sentence of sentences) {
    const { script, counts } = sentence
    if (detect && script in sharedScripts && (counts.get(script) ?? 0) >= minSentenceLetters)
      longSentences.set(
        sentence,
        detectLong(sentence, detect, { textLanguage: getTextLanguage(script), voices }),
      )
  }

  const candidates = [...new Set(longSentences.values()), ...browserVoices]
  const findLanguage = (sentence: Sentence): string => {
    const { text, script, counts } = sentence
    const textLanguage = getTextLanguage(script)
    if (script === 'Han' && isJapanese(counts)) return 'ja'
    if (!(script in sharedScripts)) return textLanguage
    return (
      longSentences.get(sentence) ??
      detect?.(keepScript(text, script), [textLanguage, ...candidates])[0] ??
      textLanguage
    )
  }
  return sentences.map((sentence) => toTag(findLanguage(sentence), knownLanguages))
}
