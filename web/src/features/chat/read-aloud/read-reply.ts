import { language as pageLanguage } from '../../../lib/text/locale.ts'
import { findLanguages } from './sentence-languages.ts'
import { isSpoken, readPlainText, readRenderedReply } from './spoken-text.ts'

/** Browsers break off an utterance that takes longer than about 14 seconds; 15 letters take a second. */
const maxPartLetters = 200
/** Characters that take as long as several letters: a digit is a word, a character of Chinese or Japanese a syllable or two. */
const longSigns = [
  { pattern: /\p{N}/u, letters: 4 },
  { pattern: /[\p{Script=Han}\p{Script=Hangul}]/u, letters: 4 },
  { pattern: /[\p{Script=Hiragana}\p{Script=Katakana}]/u, letters: 2 },
]
const countLetters = (sign: string): number =>
  longSigns.find(({ pattern }) => pattern.test(sign))?.letters ?? 1

/** Characters after which a long sentence may be cut, the better ones first. */
const pauses = [/[,;:、，；：—–]/u, /\s/]

/** Finds the beginning of the word at an offset, as in Thai, which has no blanks; the offset itself within the first word. */
const findWordStart = (text: string, offset: number): number =>
  new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text).containing(offset)?.index || offset

/** @returns the end of the first part that can be spoken at once; undefined if the whole text can */
function findCut(text: string): number | undefined {
  let letters = 0
  let at = 0
  /** the last pause of each kind */
  const ends: number[] = []
  for (const sign of text) {
    letters += countLetters(sign)
    if (letters > maxPartLetters) return ends.find((end) => end > at / 4) ?? findWordStart(text, at)
    at += sign.length
    const kind = pauses.findIndex((pause) => pause.test(sign))
    // a separator within a number is no pause
    if (kind >= 0 && !/^\d/.test(text.slice(at, at + 1))) ends[kind] = at
  }
  return undefined
}

/** An abbreviation at the end of a text, whose point ends no sentence: initials, titles, words before numbers, in the page's languages. */
const abbreviation =
  /(?:^|[\s(])(?:\p{L}|(?:\p{L}\.){1,4}\p{L}|approx|Inc|Dr|Prof|Mr|Mrs|Ms|Mme|Sr|Sra|Dra|St|Hr|Fr|Nr|No|Fig|Abb|Art|vs|ca|bzw|e\.g|i\.e|ex)\.$/u

/** A day before its month, as in German: "3. Mai". */
const day = /(?:^|[\s(])\d{1,2}\.$/
const month = /^(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)/

/** Splits a text into sentences. The browser takes each point before a capital letter for an end, also that of an abbreviation. */
function splitSentences(text: string): string[] {
  const sentences: string[] = []
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text)) {
    const last = sentences.at(-1)
    const end = last?.slice(-12).trimEnd() ?? ''
    if (last !== undefined && (abbreviation.test(end) || (day.test(end) && month.test(segment))))
      sentences[sentences.length - 1] = last + segment
    else sentences.push(segment)
  }
  return sentences.map((sentence) => sentence.trim())
}

/** Splits a block into the utterances to speak: sentences, and parts of long ones. The number of a list item stays with its first sentence. */
export function splitForReading(block: string): string[] {
  const [number = ''] = /^\d{1,9}\. /.exec(block) ?? []
  const spoken = splitSentences(block.slice(number.length))
    .filter(isSpoken)
    .flatMap((sentence) => {
      const parts: string[] = []
      let rest = sentence
      for (let end = findCut(rest); end !== undefined; end = findCut(rest)) {
        parts.push(rest.slice(0, end).trim())
        rest = rest.slice(end).trimStart()
      }
      return rest === '' ? parts : [...parts, rest]
    })
  return spoken.map((sentence, index) => (index === 0 ? number + sentence : sentence))
}

/**
 * Splits a reply into sentences and finds the language to read each in.
 * @param reply the rendered reply, or its text
 * @returns tags of languages such as `de-AT`; empty if nothing can be read
 */
export function prepareReading(
  reply: Element | string,
  voices: readonly Pick<SpeechSynthesisVoice, 'lang'>[],
): { text: string; language: string }[] {
  const blocks = typeof reply === 'string' ? readPlainText(reply) : readRenderedReply(reply)
  const sentences = blocks.flatMap(splitForReading)
  const languages = findLanguages(sentences, {
    pageLanguage,
    browserLanguages: navigator.languages,
    voiceLanguages: voices.flatMap(({ lang }) => lang || []),
  })
  return sentences.map((text, index) => ({ text, language: languages[index] ?? pageLanguage }))
}
