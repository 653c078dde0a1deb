import { XmlComponent } from 'docx'
import { katex } from '../markdown/katex.ts'
import { renderTex } from '../markdown/katex-source.ts'

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

const element = (name: string, ...children: (MathElement | string)[]) => new MathElement(name, children)
const value = (name: string, val: string) => new MathElement(name, [], { val })

const childElements = (node: Element | undefined) => [...(node?.children ?? [])]

/** The properties of OMML for each `mathvariant` of MathML. */
const ommlByMathVariant: Readonly<Record<string, MathElement>> = {
  normal: value('sty', 'p'),
  bold: value('sty', 'b'),
  'bold-italic': value('sty', 'bi'),
  'double-struck': value('scr', 'double-struck'),
  script: value('scr', 'script'),
  fraktur: value('scr', 'fraktur'),
}

/** Converts the text of a formula. Words are upright. */
function toRun(node: Element): MathElement[] {
  const text = node.textContent
  if (text === '') return []
  const variant = ommlByMathVariant[node.getAttribute('mathvariant') ?? '']
  const isWords = node.localName === 'mtext'
  const properties = isWords ? [element('rPr', element('nor'))] : variant ? [element('rPr', variant)] : []
  const content = new MathElement('t', [text])
  return [element('r', ...properties, content)]
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
    element(
      'd',
      element(
        'dPr',
        value('begChr', first.textContent),
        value('endChr', isClosed ? (last?.textContent ?? '') : ''),
      ),
      element('e', ...inner.flatMap(toElements)),
    ),
  ]
}

/** The cells of a row, without those by which KaTeX positions the number of an equation. */
const findCells = (row: Element) =>
  childElements(row).filter((cell) => !/glue|num/.test(cell.className) && cell.getAttribute('width') === null)

function toElements(node: Element): MathElement[] {
  const children = childElements(node)
  const part = (name: string, index: number) =>
    element(name, ...children.slice(index, index + 1).flatMap(toElements))
  const accent = children[1]?.textContent ?? ''
  switch (node.localName) {
    case 'mi':
    case 'mn':
    case 'mo':
    case 'mtext':
      return toRun(node)
    case 'mspace':
      return []
    case 'semantics':
      return children.slice(0, 1).flatMap(toElements)
    case 'mfrac': {
      const isBinomial = node.getAttribute('linethickness')?.startsWith('0') === true
      const properties = isBinomial ? [element('fPr', value('type', 'noBar'))] : []
      return [element('f', ...properties, part('num', 0), part('den', 1))]
    }
    case 'msup':
      return [element('sSup', part('e', 0), part('sup', 1))]
    case 'msub':
      return [element('sSub', part('e', 0), part('sub', 1))]
    case 'msubsup':
      return [element('sSubSup', part('e', 0), part('sub', 1), part('sup', 2))]
    case 'msqrt':
      return [
        element(
          'rad',
          element('radPr', value('degHide', '1')),
          element('deg'),
          element('e', ...children.flatMap(toElements)),
        ),
      ]
    case 'mroot':
      return [element('rad', part('deg', 1), part('e', 0))]
    case 'mover':
      return node.getAttribute('accent') === 'true' && accent.length === 1
        ? [element('acc', element('accPr', value('chr', toCombining(accent))), part('e', 0))]
        : [element('limUpp', part('e', 0), part('lim', 1))]
    case 'munder':
      return [element('limLow', part('e', 0), part('lim', 1))]
    case 'munderover':
      return [
        element('limUpp', element('e', element('limLow', part('e', 0), part('lim', 1))), part('lim', 2)),
      ]
    case 'mtable': {
      const rows = children.map((row) =>
        findCells(row).map((cell) => element('e', ...childElements(cell).flatMap(toElements))),
      )
      return [element('m', ...rows.map((cells) => element('mr', ...cells)))]
    }
    default:
      return toRow(children)
  }
}

/** As in the page: a formula must not hold up the export. */
const maxMacroExpansions = 200

/** The combining characters of accents, which OMML wants. */
const combining: Readonly<Record<string, string>> = {
  '^': '\u0302',
  '~': '\u0303',
  ˉ: '\u0304',
  '¯': '\u0305',
  '‾': '\u0305',
  '˙': '\u0307',
  '¨': '\u0308',
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
    const formula = element('oMath', ...childElements(math ?? undefined).flatMap(toElements))
    return displayMode ? element('oMathPara', formula) : formula
  } catch {
    return undefined
  }
}
