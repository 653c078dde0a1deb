import { toSuperscript } from '../markdown/superscript.ts'

/** Operators of MathML that have no sign, such as the one between factors. */
const invisible = /[\u2061-\u2064]/g

const isSimple = (text: string) => /^[\p{L}\p{N}.,]*$/u.test(text)
const wrap = (text: string) => (isSimple(text) ? text : `(${text})`)

function raise(base: string, exponent: string): string {
  if (/^[′″‴*∗†]+$/u.test(exponent)) return base + exponent
  const signs = toSuperscript(exponent)
  return signs === undefined ? `${base} ^ ${wrap(exponent)}` : base + signs
}

/**
 * Writes a formula in one line, with signs that voices read in their own language: `a ÷ b`, `x²`, `√(x + 1)`.
 * @param node an element of MathML, as KaTeX writes it
 */
export function readFormula(node: Element): string {
  const parts = [...node.childNodes].map((child) =>
    child instanceof Element ? readFormula(child) : (child.nodeValue ?? ''),
  )
  const [first = '', second = '', third = ''] = parts
  switch (node.localName) {
    // without the source, a frame, or an accent
    case 'semantics':
    case 'menclose':
    case 'mover':
      return first
    case 'munder':
      return second.trim() === '' ? first : `${first} ${second}`
    case 'annotation':
    case 'mphantom':
    case 'mspace':
      return ' '
    case 'mi':
    case 'mn':
    case 'mtext':
      return node.textContent.replaceAll(invisible, '')
    case 'mo': {
      const sign = node.textContent.replaceAll(invisible, '')
      return /^[()[\]{}|,.!'′]?$/.test(sign) ? sign : ` ${sign} `
    }
    case 'mfrac': {
      const isNumber = /^\d+$/.test(first) && /^\d+$/.test(second)
      return isNumber ? `${first}/${second}` : `${wrap(first)} ÷ ${wrap(second)}`
    }
    case 'msup':
      return raise(wrap(first), second.trim())
    case 'msub':
      return `${first} ${second}`
    case 'msubsup':
    case 'munderover':
      return `${raise(`${first} ${second}`, third.trim())} `
    case 'msqrt':
      return `√${wrap(parts.join('').trim())}`
    case 'mroot':
      return `${raise('', second.trim()).trim()}√${wrap(first)}`
    case 'mtable':
      return parts.join(', ')
    case 'mtr':
      return parts.join(' ')
    default:
      return parts.join('')
  }
}
