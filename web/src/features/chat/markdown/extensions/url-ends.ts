import { fullWidthPunctuation } from '../../../../lib/text/characters.ts'
import { urlEnd } from '../source-marks.ts'

/** Bare URLs that full-width punctuation follows. Those in angle brackets, and those of links with a text, have an end of their own. */
const bareUrls = new RegExp(
  String.raw`(?<![\w<]|\]\(|\]: ?)((?:https?:\/\/|www\.)[^\s<>${fullWidthPunctuation}]{1,2000})(?=[${fullWidthPunctuation}])`,
  'gi',
)
const emphasisAtEnd = /[*_~]{1,3}$/
/** Letters of scripts without blanks between words, and of Korean, whose particles stand at the word. */
const unspacedLetter = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]`
/** Hosts in ASCII with such letters behind them. No top-level domain has both; `https://www.ab中.com` goes on. */
const hosts = new RegExp(
  String.raw`(?<![\w<]|\]\(|\]: ?)(?:https?:\/\/|www\.)[a-z\d.-]{1,253}\.[a-z]{2,24}(?::\d{1,5})?(?=${unspacedLetter})(?![\p{L}\p{N}-]{1,63}\.\p{L})`,
  'giu',
)

/**
 * Extension: a bare URL ends before full-width punctuation, and before marks of emphasis in front of it. GitHub's Markdown takes
 * `https://a.example，and` for one URL, because it has no space; so it does with `https://a.example英文`.
 * @returns the text with a mark after each such URL (`source-marks.ts`)
 */
export const markUrlEnds = (markdown: string): string =>
  markdown
    .replaceAll(bareUrls, (url) => {
      const end = url.length - (emphasisAtEnd.exec(url)?.[0].length ?? 0)
      return url.slice(0, end) + urlEnd + url.slice(end)
    })
    .replaceAll(hosts, (host) => host + urlEnd)
