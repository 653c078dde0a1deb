/** KaTeX with `\ce` and `\pu`, the notation of chemistry. */
import 'katex/contrib/mhchem'

export { default as katex, type KatexOptions } from 'katex'
