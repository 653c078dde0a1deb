export interface Box {
  x: number
  y: number
  height: number
}

/** Sorts shapes for reading. Those whose upper edges differ by less than half of their height stand in one row. */
function sortPlaced<Item extends { box: Box }>(items: readonly Item[], isRightToLeft = false): Item[] {
  const rows: Item[][] = []
  for (const one of items.toSorted((a, b) => a.box.y - b.box.y || 0)) {
    const row = rows.at(-1)
    const first = row?.[0]
    const isBeside =
      first &&
      (one.box.y === first.box.y || one.box.y - first.box.y < Math.min(first.box.height, one.box.height) / 2)
    if (row && isBeside) row.push(one)
    else rows.push([one])
  }
  return rows.flatMap((row) =>
    row.toSorted((a, b) => (isRightToLeft ? b.box.x - a.box.x : a.box.x - b.box.x)),
  )
}

/** Titles first. A shape without a place stands behind the one before it. */
export function sortShapes<Shape extends { isTitle: boolean }>(
  shapes: readonly Shape[],
  findBox: (shape: Shape) => Box | undefined,
  isRightToLeft = false,
): Shape[] {
  let last: Box = { x: 0, y: 0, height: 0 }
  const placed = shapes.map((shape) => {
    last = findBox(shape) ?? last
    return { shape, box: shape.isTitle ? { x: 0, y: -Infinity, height: 0 } : last }
  })
  return sortPlaced(placed, isRightToLeft).map(({ shape }) => shape)
}
