import { XmlComponent } from 'docx'
import { katex } from '../markdown/katex.ts'
import { maxMacroExpansions } from '../markdown/markdown-limits.ts'
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

/** Words, which are upright. */
const toWords = (text: string): MathElement[] => [
  createElement('r', createElement('rPr', createElement('nor')), createElement('t', text)),
]

/** Converts a text in a formula. */
function toRun(node: Element): MathElement[] {
  const text = toWritable(node.textContent)
  if (text === '') return []
  if (node.localName === 'mtext') return toWords(text)
  const variant = ommlByMathVariant[node.getAttribute('mathvariant') ?? '']
  const properties = variant ? [createElement('rPr', variant)] : []
  return [createElement('r', ...properties, createElement('t', text))]
}

/** The characters of brackets that Word grows, for those of KaTeX that it does not. */
const fences: Readonly<Record<string, string>> = { '∣': '|', '∥': '‖' }
const toFence = (node: Element | undefined) => {
  const text = node?.textContent ?? ''
  return fences[text] ?? text
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
        createProperty('begChr', toFence(first)),
        createProperty('endChr', isClosed ? toFence(last) : ''),
      ),
      createElement('e', ...inner.flatMap(toElements)),
    ),
  ]
}

/** The cells of a row, without those by which KaTeX positions the number of an equation. */
const findCells = (row: Element) =>
  listChildren(row).filter((cell) => !/glue|num/.test(cell.className) && cell.getAttribute('width') === null)

/** How the columns of a table are aligned, if KaTeX says so of each. */
function toColumns(table: Element, count: number): MathElement[] {
  const alignments = table.getAttribute('columnalign')?.split(' ') ?? []
  if (alignments.length !== count) return []
  const columns = alignments.map((alignment) =>
    createElement(
      'mc',
      createElement('mcPr', createProperty('count', '1'), createProperty('mcJc', alignment)),
    ),
  )
  return [createElement('mPr', createElement('mcs', ...columns))]
}

const isStretched = (node: Element | undefined) =>
  node?.localName === 'mo' && node.getAttribute('stretchy') === 'true'

/** A brace, an arrow or another character as wide as what stands above or below it, which stays on the line, or itself does. */
const toGroup = (
  character: string,
  base: readonly MathElement[],
  { position, isOnLine = false }: { position: 'top' | 'bot'; isOnLine?: boolean },
) =>
  createElement(
    'groupChr',
    createElement(
      'groupChrPr',
      createProperty('chr', character),
      createProperty('pos', position),
      createProperty('vertJc', (position === 'top') === isOnLine ? 'top' : 'bot'),
    ),
    createElement('e', ...base),
  )

function toLabelledArrow(arrow: Element, above: Element | undefined, below: Element | undefined) {
  const [upper, lower] = [above, below].map((label) => (label ? toElements(label) : []))
  const character = arrow.textContent
  if (!upper?.length && !lower?.length) return toRun(arrow)
  if (!upper?.length) return [toGroup(character, lower ?? [], { position: 'top', isOnLine: true })]
  const labelled = toGroup(character, upper, { position: 'bot', isOnLine: true })
  if (!lower?.length) return [labelled]
  return [createElement('limLow', createElement('e', labelled), createElement('lim', ...lower))]
}

const sides = { top: 'hideTop', bottom: 'hideBot', left: 'hideLeft', right: 'hideRight' } as const
const strikes = {
  horizontalstrike: 'strikeH',
  updiagonalstrike: 'strikeBLTR',
  downdiagonalstrike: 'strikeTLBR',
} as const
/** The sides and strikes of a `menclose`, by what KaTeX calls its notation. */
function toBox(notation: string, content: readonly MathElement[]): MathElement[] {
  const names = notation === 'actuarial' ? ['top', 'right'] : notation.split(' ')
  const isBox = names.includes('box')
  const hidden = Object.entries(sides).flatMap(([side, name]) =>
    isBox || names.includes(side) ? [] : [createProperty(name, '1')],
  )
  const struck = Object.entries(strikes).flatMap(([strike, name]) =>
    names.includes(strike) ? [createProperty(name, '1')] : [],
  )
  // another notation, such as the angle of a phasor
  if (hidden.length === Object.keys(sides).length && struck.length === 0) return [...content]
  const properties = [...hidden, ...struck]
  return [
    createElement(
      'borderBox',
      ...(properties.length > 0 ? [createElement('borderBoxPr', ...properties)] : []),
      createElement('e', ...content),
    ),
  ]
}

/** Converts what stands over something: an accent, a character as wide as it, or a text. */
function toOver(node: Element, base: Element, over: Element): MathElement[] {
  const accent = over.textContent
  if (node.getAttribute('accent') === 'true' && accent.length === 1) {
    const letter = `${base.textContent}${toCombining(accent)}`.normalize('NFC')
    // KaTeX takes the umlauts of words apart
    if (base.localName === 'mtext' && letter.length === 1) return toWords(letter)
    return [
      createElement(
        'acc',
        createElement('accPr', createProperty('chr', toCombining(accent))),
        createElement('e', ...toElements(base)),
      ),
    ]
  }
  if (isStretched(base)) return toLabelledArrow(base, over, undefined)
  if (isStretched(over)) return [toGroup(accent, toElements(base), { position: 'top' })]
  return [
    createElement(
      'limUpp',
      createElement('e', ...toElements(base)),
      createElement('lim', ...toElements(over)),
    ),
  ]
}

/** Converts what stands under something: a line, a character as wide as it, or a text. */
function toUnder(base: Element, under: Element): MathElement[] {
  const content = toElements(base)
  if (isStretched(base)) return toLabelledArrow(base, undefined, under)
  if (isStretched(under))
    return under.textContent === '‾'
      ? [
          createElement(
            'bar',
            createElement('barPr', createProperty('pos', 'bot')),
            createElement('e', ...content),
          ),
        ]
      : [toGroup(under.textContent, content, { position: 'bot' })]
  return [createElement('limLow', createElement('e', ...content), createElement('lim', ...toElements(under)))]
}

/** Whether a space is that of `\quad` or wider. Word itself sets the narrow ones around operators. */
const isWideSpace = (space: Element) => Number.parseFloat(space.getAttribute('width') ?? '') >= 1

function toElements(node: Element): MathElement[] {
  const children = listChildren(node)
  const part = (name: string, index: number) =>
    createElement(name, ...children.slice(index, index + 1).flatMap(toElements))
  const [first, second] = children
  switch (node.localName) {
    case 'mi':
    case 'mn':
    case 'mo':
    case 'mtext':
      // KaTeX wraps what is set as an operator or a relation
      return children.length > 0 ? toRow(children) : toRun(node)
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
      return first && second ? toOver(node, first, second) : toRow(children)
    case 'munder':
      return first && second ? toUnder(first, second) : toRow(children)
    case 'munderover':
      if (!first || !second) return toRow(children)
      return isStretched(first)
        ? toLabelledArrow(first, children[2], second)
        : [createElement('limUpp', createElement('e', ...toUnder(first, second)), part('lim', 2))]
    case 'menclose':
      return toBox(node.getAttribute('notation') ?? '', toRow(children))
    case 'mtable': {
      const rows = children.map((row) =>
        findCells(row).map((cell) => createElement('e', ...listChildren(cell).flatMap(toElements))),
      )
      const columns = Math.max(0, ...rows.map((cells) => cells.length))
      return [
        createElement(
          'm',
          ...toColumns(node, columns),
          ...rows.map((cells) => createElement('mr', ...cells)),
        ),
      ]
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
