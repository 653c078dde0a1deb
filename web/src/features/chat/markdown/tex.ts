import { formatLabel } from './math-source.ts'

/** Environments that KaTeX does not know, and those that look most like them. */
const replaced: Readonly<Record<string, string>> = { eqnarray: 'align', multline: 'gather' }

/**
 * The TeX of a formula in the form that KaTeX draws: labels become tags, because KaTeX has no references.
 * @param withTags whether labels are shown; KaTeX allows that in few places
 */
export const toKatexSource = (tex: string, withTags: boolean): string =>
  tex
    .replace(/\\label\{([^{}\n]{1,80})\}/g, (_, label: string) =>
      withTags ? String.raw`\tag{${escapeText(formatLabel(label))}}` : '',
    )
    .replace(
      /\\eqref\{([^{}\n]{1,80})\}/g,
      (_, label: string) => `\\text{(${escapeText(formatLabel(label))})}`,
    )
    .replace(/\\ref\{([^{}\n]{1,80})\}/g, (_, label: string) => `\\text{${escapeText(formatLabel(label))}}`)
    .replace(
      /\\(begin|end)\{(eqnarray|multline)(\*?)\}/g,
      (_, end: string, name: string, star: string) => `\\${end}{${replaced[name] ?? name}${star}}`,
    )

const escapeText = (label: string) =>
  label.replaceAll(/[\\_^$#%&~]/g, (sign) => (sign === '\\' ? '' : `\\${sign}`))

/** These are displayed formulas also between single dollars. */
const displayed = /^\s*\\begin\{(?:align|alignat|eqnarray|equation|gather|multline|CD)\*?\}/

/**
 * Draws a formula in the first form that KaTeX accepts: with its labels, or without.
 * @throws Error for TeX that KaTeX rejects
 */
export function drawTex<Drawn>(
  tex: string,
  displayMode: boolean,
  draw: (source: string, displayMode: boolean) => Drawn,
): Drawn {
  const isDisplayed = displayMode || displayed.test(tex)
  if (isDisplayed && tex.includes('\\label'))
    try {
      return draw(toKatexSource(tex, true), true)
    } catch {
      // a tag in a place where KaTeX allows none
    }
  return draw(toKatexSource(tex, false), isDisplayed)
}
