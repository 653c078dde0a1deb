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

/** @param name of a run property, without its prefix @returns what it says; undefined if that is not about the look */
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

/** Looks by the id of a style, with those that it is based on. */
export type WordStyles = (styleId: string) => RunLook

/** @param part `styles.xml` @throws DocumentError if it is not XML */
export function readWordStyles(part: Uint8Array | undefined): WordStyles {
  const styles = new Map<string, { base: string; look: RunLook }>()
  if (!part) return () => ({})
  let style: { base: string; look: RunLook } | undefined
  let runDepth = 0
  parseXml(part, {
    open(name, attributes) {
      if (name === 'style') {
        style = { base: '', look: {} }
        styles.set(readAttribute(attributes, 'styleId'), style)
      }
      if (name === 'rPr') runDepth += 1
      if (name === 'basedOn' && style) style.base = readAttribute(attributes, 'val')
      // what a table's style says of its first row is not read
      if (style && runDepth === 1) Object.assign(style.look, readRunProperty(name, attributes))
    },
    close(name) {
      if (name === 'style') style = undefined
      if (name === 'rPr') runDepth -= 1
    },
  })
  const known = new Map<string, RunLook>()
  const find = (styleId: string): RunLook => {
    const found = known.get(styleId)
    if (found) return found
    const chain: RunLook[] = []
    let next = styles.get(styleId)
    for (let depth = 0; next && depth < 20; depth += 1) {
      chain.unshift(next.look)
      next = styles.get(next.base)
    }
    const look = Object.assign({}, ...chain) as RunLook
    known.set(styleId, look)
    return look
  }
  return find
}
