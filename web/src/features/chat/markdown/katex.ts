// KaTeX with the notation of chemistry: `\ce` and `\pu`
import 'katex/contrib/mhchem'

export { default as katex, type KatexOptions } from 'katex'

/** How many macros a formula may expand. KaTeX allows 1,000, which takes long if each expands to much. */
export const maxMacroExpansions = 200
