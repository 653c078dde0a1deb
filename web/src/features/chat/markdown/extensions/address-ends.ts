import { fullWidthPunctuation } from '../../../../lib/full-width-punctuation.ts'
import { addressEnd } from '../source-marks.ts'

/** Bare addresses with such punctuation behind them. Those in angle brackets, and of links with a text, have an end of their own. */
const addresses = new RegExp(
  String.raw`(?<![\w<]|\]\(|\]: ?)((?:https?:\/\/|www\.)[^\s<>${fullWidthPunctuation}]{1,2000})(?=[${fullWidthPunctuation}])`,
  'gi',
)
const signsAtEnd = /[*_~]{1,3}$/
/** Letters of scripts without blanks between words, and of Korean, whose particles stand at the word. */
const unspacedLetter = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]`
/** Hosts in ASCII with such letters behind them. No top-level domain has both; `https://www.ab中.com` goes on. */
const hosts = new RegExp(
  String.raw`(?<![\w<]|\]\(|\]: ?)(?:https?:\/\/|www\.)[a-z\d.-]{1,253}\.[a-z]{2,24}(?::\d{1,5})?(?=${unspacedLetter})(?![\p{L}\p{N}-]{1,63}\.\p{L})`,
  'giu',
)

/**
 * Extension: a bare address ends before full-width punctuation, and before the marks of emphasis that stand there. GitHub's Markdown takes
 * `https://a.example，and` for one address, because there is no blank; so it does with `https://a.example英文`.
 * @returns with marks that are removed after the parse
 */
export const markAddressEnds = (markdown: string): string =>
  markdown
    .replaceAll(addresses, (address) => {
      const end = address.length - (signsAtEnd.exec(address)?.[0].length ?? 0)
      return address.slice(0, end) + addressEnd + address.slice(end)
    })
    .replaceAll(hosts, (host) => host + addressEnd)
