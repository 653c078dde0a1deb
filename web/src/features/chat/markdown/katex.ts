/** KaTeX with `\ce` and `\pu`, the notation of chemistry. */
import 'katex/contrib/mhchem'

export { default, type KatexOptions } from 'katex'
