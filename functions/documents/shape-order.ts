export interface Box {
  x: number
  y: number
  height: number
}

/**
 * Sorts shapes for reading, titles first. Those whose upper edges differ by less than half of their height stand in one row; a shape without a
 * place stands behind the one before it.
 */
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
  const rows: (typeof placed)[] = []
  for (const one of placed.toSorted((a, b) => a.box.y - b.box.y || 0)) {
    const row = rows.at(-1)
    const { y, height } = row?.[0]?.box ?? { y: Infinity, height: 0 }
    const isBeside = one.box.y === y || one.box.y - y < Math.min(height, one.box.height) / 2
    if (row && isBeside) row.push(one)
    else rows.push([one])
  }
  const sign = isRightToLeft ? -1 : 1
  return rows.flatMap((row) => row.toSorted((a, b) => (a.box.x - b.box.x) * sign).map(({ shape }) => shape))
}
