import { expect, it } from 'vitest'
import { toWordFormula } from './word-formula.ts'

type Node = string | Record<string, unknown>

/** A formula as its elements and their texts, properties in brackets. */
function describe(node: Node): string {
  if (typeof node === 'string') return node
  const [name, content] = Object.entries(node)[0] ?? ['', []]
  const parts = (Array.isArray(content) ? content : [content]) as Node[]
  const short = name.replace('m:', '')
  const attributes = (node: Node) =>
    typeof node === 'object' && '_attr' in node ? Object.values(node['_attr'] as object) : undefined
  const [values] = parts.flatMap((part) => attributes(part) ?? [])
  if (values !== undefined) return `${short}=${String(values)}`
  const inner = parts.filter((part) => part !== undefined).map(describe)
  if (short === 't') return inner.join('')
  if (short === 'r') return inner.filter((part) => !part.startsWith('[')).join('')
  return short.endsWith('Pr') ? `[${inner.join(' ')}]` : `${short}(${inner.join(' ')})`
}
const convert = (tex: string) =>
  describe(toWordFormula(tex, { displayMode: false })?.prepForXml({ stack: [] } as never) as Node)

// from a report about another product: Mininglamp-OSS/octo-web#666
it.each([
  ['\\overset{a}{b}', 'limUpp(e(b) lim(a))'],
  ['\\stackrel{a}{=}', 'limUpp(e(=) lim(a))'],
  ['\\underset{a}{b}', 'limLow(e(b) lim(a))'],
  ['\\mathrel{x^2}', 'sSup(e(x) sup(2))'],
  ['\\mathop{\\frac12}', 'f(num(1) den(2))'],
  ['\\overbrace{a}^{n}', 'limUpp(e(groupChr([chr=⏞ pos=top vertJc=bot] e(a))) lim(n))'],
  ['\\underbrace{a}_{n}', 'limLow(e(groupChr([chr=⏟ pos=bot vertJc=top] e(a))) lim(n))'],
  ['\\underline{a}', 'bar([pos=bot] e(a))'],
  ['\\underrightarrow{a}', 'groupChr([chr=→ pos=bot vertJc=top] e(a))'],
  ['\\xrightarrow{f}', 'groupChr([chr=→ pos=bot vertJc=bot] e(f))'],
  ['\\xleftarrow[g]{}', 'groupChr([chr=← pos=top vertJc=top] e(g))'],
  ['\\xrightarrow[g]{f}', 'limLow(e(groupChr([chr=→ pos=bot vertJc=bot] e(f))) lim(g))'],
  ['\\xleftarrow{}', '←'],
  ['\\boxed{x}', 'borderBox(e(x))'],
  ['\\cancel{x}', 'borderBox([hideTop=1 hideBot=1 hideLeft=1 hideRight=1 strikeBLTR=1] e(x))'],
  ['\\xcancel{x}', 'borderBox([hideTop=1 hideBot=1 hideLeft=1 hideRight=1 strikeBLTR=1 strikeTLBR=1] e(x))'],
  ['\\sout{x}', 'borderBox([hideTop=1 hideBot=1 hideLeft=1 hideRight=1 strikeH=1] e(x))'],
  ['\\angl{n}', 'borderBox([hideBot=1 hideLeft=1] e(n))'],
  ['\\phase{x}', 'x'],
  ['\\left|x\\right\\|', 'd([begChr=| endChr=‖] e(x))'],
  ['\\text{größer}', 'gr ö ßer'],
  [
    '\\begin{array}{lr}a&b\\end{array}',
    'm([mcs(mc([count=1 mcJc=left]) mc([count=1 mcJc=right]))] mr(e(a) e(b)))',
  ],
])('%s is %s', (tex, shown) => expect(convert(tex)).toBe(`oMath(${shown})`))
