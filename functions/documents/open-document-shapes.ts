import { sortPlaced, type Box } from './shape-order.ts'
import { readAttribute, type XmlAttributes } from './read-package.ts'

export interface Block {
  text: string
  isItem: boolean
}

export interface PlacedShape {
  /** undefined: nothing says it, as for groups, which stand where their first shape does */
  box: Box | undefined
  isTitle: boolean
  blocks: Block[]
}

/** Lengths in centimetres (OpenDocument 1.3, part 3, 18.3.18). */
const units: ReadonlyMap<string, number> = new Map([
  ['cm', 1],
  ['mm', 0.1],
  ['in', 2.54],
  ['pt', 2.54 / 72],
  ['pc', 2.54 / 6],
  ['px', 2.54 / 96],
])
function toCentimetres(length: string): number | undefined {
  const [, number, unit = ''] = /^(-?\d{1,9}(?:\.\d{1,9})?)(\w\w)$/.exec(length.trim()) ?? []
  return number === undefined ? undefined : Number(number) * (units.get(unit) ?? 1)
}

/** Where a shape stands, turned ones too. @returns undefined if it does not say so itself */
export function readBox(attributes: XmlAttributes): Box | undefined {
  const [, movedX = '', movedY = ''] =
    /translate\s?\(([^\s,)]{1,30})[\s,]{1,3}([^\s,)]{1,30})\)/.exec(readAttribute(attributes, 'transform')) ??
    []
  const x = toCentimetres(readAttribute(attributes, 'x') || readAttribute(attributes, 'x1') || movedX)
  const y = toCentimetres(readAttribute(attributes, 'y') || readAttribute(attributes, 'y1') || movedY)
  if (x === undefined || y === undefined) return undefined
  return { x, y, height: toCentimetres(readAttribute(attributes, 'height')) ?? 0 }
}

/** A shape that does not say where it stands stands behind the one before it. */
export function sortShapes(shapes: readonly PlacedShape[]): PlacedShape[] {
  let last: Box = { x: 0, y: 0, height: 0 }
  const placed = shapes.map((shape) => {
    last = shape.box ?? last
    return { shape, box: shape.isTitle ? { x: 0, y: -Infinity, height: 0 } : last }
  })
  return sortPlaced(placed).map(({ shape }) => shape)
}
