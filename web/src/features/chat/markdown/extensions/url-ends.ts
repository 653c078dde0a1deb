import { fullWidthPunctuation } from '../../../../lib/full-width-punctuation.ts'
import { urlEnd } from '../source-marks.ts'

/** Bare addresses with such punctuation behind them. Those in angle brackets, and of links with a text, have an end of their own. */
const addresses = new RegExp(
  String.raw`(?<![\w<]|\]\(|\]: ?)((?:https?:\/\/|www\.)[^\s<>${fullWidthPunctuation}]{1,2000})(?=[${fullWidthPunctuation}])`,
  'gi',
)
const signsAtEnd = /[*_~]{1,3}$/

/**
 * Extension: a bare address ends before full-width punctuation, and before the marks of emphasis that stand there. GitHub's Markdown takes
 * `https://a.example，and` for one address, because there is no blank.
 * @returns with marks that are removed after the parse
 */
export const markUrlEnds = (markdown: string): string =>
  markdown.replaceAll(addresses, (address) => {
    const end = address.length - (signsAtEnd.exec(address)?.[0].length ?? 0)
    return address.slice(0, end) + urlEnd + address.slice(end)
  })
