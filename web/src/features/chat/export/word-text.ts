import { ExternalHyperlink, TextRun, type IRunOptions, type ParagraphChild } from 'docx'
import { findHiddenTarget } from '../markdown/link-target.ts'
import { isSafeLink } from '../markdown/markdown-safety.ts'
import { codeFont } from './word-styles.ts'

/** How a run of text looks. */
export type RunStyle = Pick<
  IRunOptions,
  'bold' | 'italics' | 'strike' | 'superScript' | 'subScript' | 'underline' | 'highlight' | 'font' | 'style'
>

/** The styles of elements that replies write as HTML. */
export const elementStyles: Readonly<Record<string, RunStyle>> = {
  code: { font: codeFont },
  ins: { underline: {} },
  kbd: { font: codeFont },
  mark: { highlight: 'yellow' },
  sub: { subScript: true },
  sup: { superScript: true },
  u: { underline: {} },
}

// XML cannot contain these characters, and Word refuses a file that does
// eslint-disable-next-line no-control-regex
const unwritable = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g
/** Removes the characters that a Word file cannot contain. */
export const toWritable = (text: string): string => text.toWellFormed().replaceAll(unwritable, '')

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u
/** Whether a text is read from right to left. Its first letter decides, as in the page. */
export const isRightToLeft = (text: string): boolean => {
  const letter = /\p{L}/u.exec(text)?.[0]
  return letter !== undefined && rightToLeft.test(letter)
}

/** Returns the target of a link in a Word file. @returns undefined for one that is not safe, or not complete, as a path on a server */
export function toLinkTarget(url: string): string | undefined {
  const link = url.trim().replaceAll(' ', '%20')
  return isSafeLink(link) && URL.canParse(link) ? new URL(link).href : undefined
}

/** Writes a text as runs, one for each line, each in the direction of its own text. */
export function writeText(text: string, style: RunStyle): TextRun[] {
  return toWritable(text)
    .split(/\r?\n/)
    .map(
      (line, index) =>
        new TextRun({
          ...style,
          text: line,
          ...(isRightToLeft(line) && { rightToLeft: true }),
          ...(index > 0 && { break: 1 }),
        }),
    )
}

/**
 * Writes a link, with where it leads behind it if its text does not say so: a document is printed and passed on.
 * @param target of `toLinkTarget`
 * @param text of the link, as `runs` show it
 * @param style of what surrounds the link
 */
export function writeLinkRuns(
  target: string,
  { text, runs, style }: { text: string; runs: readonly ParagraphChild[]; style: RunStyle },
): ParagraphChild[] {
  const hiddenTarget = findHiddenTarget(target, text)
  return [
    new ExternalHyperlink({ link: target, children: runs }),
    ...(hiddenTarget === undefined ? [] : writeText(` (${hiddenTarget})`, style)),
  ]
}
