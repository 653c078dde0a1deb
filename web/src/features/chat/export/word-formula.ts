import { XmlComponent } from 'docx'
import { katex, maxMacroExpansions } from '../markdown/katex.ts'
import { renderTex } from '../markdown/katex-source.ts'
import { toWritable } from './word-text.ts'

/** An element of Office's math markup (OMML, ECMA-376 part 1, 22.1), of which the library `docx` has only a few. */
class MathElement extends XmlComponent {
  constructor(
    name: string,
    children: readonly (MathElement | string)[],
    attributes: Record<string, string> = {},
  ) {
    super(`m:${name}`)
    const prefixed = Object.entries(attributes).map(([key, value]) => [`m:${key}`, value] as const)
    if (prefixed.length > 0) this.root.push({ _attr: Object.fromEntries(prefixed) })
    this.root.push(...children)
  }
}

const createElement = (name: string, ...children: (MathElement | string)[]) => new MathElement(name, children)
const createProperty = (name: string, val: string) => new MathElement(name, [], { val })

const listChildren = (node: Element | undefined) => [...(node?.children ?? [])]

/** The properties of OMML for each `mathvariant` of MathML. */
const ommlByMathVariant: Readonly<Record<string, MathElement>> = {
  normal: createProperty('sty', 'p'),
  bold: createProperty('sty', 'b'),
  'bold-italic': createProperty('sty', 'bi'),
  'double-struck': createProperty('scr', 'double-struck'),
  script: createProperty('scr', 'script'),
  fraktur: createProperty('scr', 'fraktur'),
}

/** Converts a text in a formula. Words are upright. */
function toRun(node: Element): MathElement[] {
  const text = toWritable(node.textContent)
  if (text === '') return []
  const variant = ommlByMathVariant[node.getAttribute('mathvariant') ?? '']
  const isWords = node.localName === 'mtext'
  const properties = isWords
    ? [createElement('rPr', createElement('nor'))]
    : variant
      ? [createElement('rPr', variant)]
      : []
  const content = new MathElement('t', [text])
  return [createElement('r', ...properties, content)]
}

const isFence = (node: Element | undefined) =>
  node?.localName === 'mo' && node.getAttribute('fence') === 'true'

/** Converts a row. Brackets at both of its ends, or one at its beginning, grow with what they enclose. */
function toRow(nodes: readonly Element[]): MathElement[] {
  const [first] = nodes
  if (!first || !isFence(first)) return nodes.flatMap(toElements)
  const last = nodes.length > 1 ? nodes.at(-1) : undefined
  const isClosed = isFence(last)
  const inner = nodes.slice(1, isClosed ? -1 : undefined)
  return [
    createElement(
      'd',
      createElement(
        'dPr',
        createProperty('begChr', first.textContent),
        createProperty('endChr', isClosed ? (last?.textContent ?? '') : ''),
      ),
      createElement('e', ...inner.flatMap(toElements)),
    ),
  ]
}

/** The cells of a row, without those by which KaTeX positions the number of an equation. */
const findCells = (row: Element) =>
  listChildren(row).filter((cell) => !/glue|num/.test(cell.className) && cell.getAttribute('width') === null)

/** Whether a space is that of `\quad` or wider. Word itself sets the narrow ones around operators. */
const isWideSpace = (space: Element) => Number.parseFloat(space.getAttribute('width') ?? '') >= 1

function toElements(node: Element): MathElement[] {
  const children = listChildren(node)
  const part = (name: string, index: number) =>
    createElement(name, ...children.slice(index, index + 1).flatMap(toElements))
  const accent = children[1]?.textContent ?? ''
  switch (node.localName) {
    case 'mi':
    case 'mn':
    case 'mo':
    case 'mtext':
      return toRun(node)
    case 'mspace':
      return isWideSpace(node) ? [createElement('r', createElement('t', '\u2003'))] : []
    case 'mphantom':
      return [
        createElement(
          'phant',
          createElement('phantPr', createProperty('show', '0')),
          createElement('e', ...children.flatMap(toElements)),
        ),
      ]
    case 'semantics':
      return children.slice(0, 1).flatMap(toElements)
    case 'mfrac': {
      const isBinomial = node.getAttribute('linethickness')?.startsWith('0') === true
      const properties = isBinomial ? [createElement('fPr', createProperty('type', 'noBar'))] : []
      return [createElement('f', ...properties, part('num', 0), part('den', 1))]
    }
    case 'msup':
      return [createElement('sSup', part('e', 0), part('sup', 1))]
    case 'msub':
      return [createElement('sSub', part('e', 0), part('sub', 1))]
    case 'msubsup':
      return [createElement('sSubSup', part('e', 0), part('sub', 1), part('sup', 2))]
    case 'msqrt':
      return [
        createElement(
          'rad',
          createElement('radPr', createProperty('degHide', '1')),
          createElement('deg'),
          createElement('e', ...children.flatMap(toElements)),
        ),
      ]
    case 'mroot':
      return [createElement('rad', part('deg', 1), part('e', 0))]
    case 'mover':
      return node.getAttribute('accent') === 'true' && accent.length === 1
        ? [
            createElement(
              'acc',
              createElement('accPr', createProperty('chr', toCombining(accent))),
              part('e', 0),
            ),
          ]
        : [createElement('limUpp', part('e', 0), part('lim', 1))]
    case 'munder':
      return [createElement('limLow', part('e', 0), part('lim', 1))]
    case 'munderover':
      return [
        createElement(
          'limUpp',
          createElement('e', createElement('limLow', part('e', 0), part('lim', 1))),
          part('lim', 2),
        ),
      ]
    case 'mtable': {
      const rows = children.map((row) =>
        findCells(row).map((cell) => createElement('e', ...listChildren(cell).flatMap(toElements))),
      )
      return [createElement('m', ...rows.map((cells) => createElement('mr', ...cells)))]
    }
    default:
      return toRow(children)
  }
}

/** The combining characters of accents, which OMML wants. */
const combining: Readonly<Record<string, string>> = {
  ˋ: '\u0300',
  ˊ: '\u0301',
  '^': '\u0302',
  '~': '\u0303',
  ˉ: '\u0304',
  '¯': '\u0305',
  '‾': '\u0305',
  '˘': '\u0306',
  '˙': '\u0307',
  '¨': '\u0308',
  '˚': '\u030A',
  ˇ: '\u030C',
  '←': '\u20D6',
  '→': '\u20D7',
}
const toCombining = (accent: string) => combining[accent] ?? accent

/**
 * Converts a formula to one that Word can edit.
 * @param options.displayMode whether it is a paragraph of its own
 * @returns undefined for TeX that KaTeX rejects
 */
export function toWordFormula(
  tex: string,
  { displayMode }: { displayMode: boolean },
): XmlComponent | undefined {
  try {
    const markup = renderTex(tex, {
      displayMode: false,
      render: (source) =>
        katex.renderToString(source, {
          displayMode,
          output: 'mathml',
          strict: 'ignore',
          trust: false,
          maxExpand: maxMacroExpansions,
        }),
    })
    const math = new DOMParser().parseFromString(markup, 'text/html').querySelector('math')
    const formula = createElement('oMath', ...listChildren(math ?? undefined).flatMap(toElements))
    return displayMode ? createElement('oMathPara', formula) : formula
  } catch {
    return undefined
  }
}
