import { formatLabel } from './math-source.ts'

/** Environments that KaTeX does not know, and those that are drawn instead. */
const replacements: Readonly<Record<string, string>> = { eqnarray: 'align', multline: 'gather' }

/**
 * Rewrites the TeX of a formula for KaTeX, which has no references: labels become tags, and references become text.
 * @param options.withTags whether labels are shown as tags, which KaTeX allows in few places
 */
export const toKatexSource = (tex: string, { withTags }: { withTags: boolean }): string =>
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
      (_, end: string, name: string, star: string) => `\\${end}{${replacements[name] ?? name}${star}}`,
    )

/** Signs that a backslash does not escape, and what stands for them. */
const unescapable: Readonly<Record<string, string>> = {
  '\\': '',
  '^': String.raw`\textasciicircum{}`,
  '~': String.raw`\textasciitilde{}`,
}
const escapeText = (label: string) =>
  label.replaceAll(/[\\_^$#%&~]/g, (sign) => unescapable[sign] ?? `\\${sign}`)

/** Environments that KaTeX accepts in displayed formulas only. */
const displayed = /^\s*\\begin\{(?:align|alignat|eqnarray|equation|gather|multline|split|CD)\*?\}/

/**
 * Renders a formula with its labels as tags if KaTeX accepts that, otherwise without them.
 * @param options.displayMode whether it stands in a block of its own; some environments always do
 * @param options.render renders TeX for KaTeX, and throws if KaTeX rejects it
 * @throws Error for TeX that KaTeX rejects in both forms
 */
export function renderTex<Rendered>(
  tex: string,
  {
    displayMode,
    render,
  }: { displayMode: boolean; render: (source: string, options: { displayMode: boolean }) => Rendered },
): Rendered {
  const isDisplayed = displayMode || displayed.test(tex)
  if (isDisplayed && tex.includes('\\label'))
    try {
      return render(toKatexSource(tex, { withTags: true }), { displayMode: true })
    } catch {
      // a tag in a place where KaTeX allows none
    }
  return render(toKatexSource(tex, { withTags: false }), { displayMode: isDisplayed })
}
