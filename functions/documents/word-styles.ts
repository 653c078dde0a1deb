import type { NumberingReference } from './word-numbering.ts'
import { parseXml, readAttribute, type XmlAttributes } from './read-package.ts'

// How runs of Word look, where that changes what they say (ECMA-376-1, 17.3.2 and 17.7).

/** What is absent is inherited. */
export interface RunLook {
  position?: '^' | '_' | undefined
  isStruck?: boolean
  isHidden?: boolean
  font?: string
}

const isOn = (attributes: XmlAttributes) => !/^(?:0|false|off|none)$/.test(readAttribute(attributes, 'val'))

/** Half points. Smaller shifts adjust a picture or a formula. */
const minShift = 4

export function readRunProperty(name: string, attributes: XmlAttributes): RunLook | undefined {
  const value = readAttribute(attributes, 'val')
  switch (name) {
    case 'strike':
    case 'dstrike':
      return { isStruck: isOn(attributes) }
    case 'vanish':
      return { isHidden: isOn(attributes) }
    case 'vertAlign':
      return { position: value === 'superscript' ? '^' : value === 'subscript' ? '_' : undefined }
    case 'position':
      return Math.abs(Number(value)) >= minShift ? { position: Number(value) > 0 ? '^' : '_' } : undefined
    case 'rFonts':
      return { font: readAttribute(attributes, 'ascii') || readAttribute(attributes, 'hAnsi') }
    default:
      return undefined
  }
}

export interface WordStyle {
  look: RunLook
  list?: NumberingReference
}

export type WordStyles = (styleId: string) => WordStyle

export function readWordStyles(part: Uint8Array): WordStyles {
  interface Style {
    base: string
    look: RunLook
    list: string
    level: number
  }
  const styles = new Map<string, Style>()
  const open: string[] = []
  let style: Style | undefined
  parseXml(part, {
    open(name, attributes) {
      const value = readAttribute(attributes, 'val')
      open.push(name)
      if (name === 'style') {
        style = { base: '', look: {}, list: '', level: 0 }
        styles.set(readAttribute(attributes, 'styleId'), style)
      }
      if (!style || open.includes('pPrChange')) return
      if (name === 'basedOn') style.base = value
      if (name === 'numId') style.list = value
      if (name === 'ilvl') style.level = Number(value)
      // what a table's style says of its first row is not read
      if (open.at(-2) === 'rPr') Object.assign(style.look, readRunProperty(name, attributes))
    },
    close(name) {
      open.pop()
      if (name === 'style') style = undefined
    },
  })
  const known = new Map<string, WordStyle>()
  return (styleId) => {
    const found = known.get(styleId)
    if (found) return found
    const chain: Style[] = []
    for (let next = styles.get(styleId); next && chain.length < 20; next = styles.get(next.base))
      chain.push(next)
    const listed = chain.find(({ list }) => list !== '')
    const read: WordStyle = {
      look: Object.assign({}, ...chain.toReversed().map(({ look }) => look)) as RunLook,
      ...(listed && { list: { list: listed.list, level: listed.level } }),
    }
    known.set(styleId, read)
    return read
  }
}
