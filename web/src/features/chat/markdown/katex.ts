// KaTeX with the notation of chemistry: `\ce` and `\pu`
import 'katex/contrib/mhchem'

export { default as katex, type KatexOptions } from 'katex'
