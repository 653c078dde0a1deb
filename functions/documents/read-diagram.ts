import { parseXml, readAttribute } from './read-package.ts'

const maxDepth = 50

export function readDiagram(part: Uint8Array): string[] {
  const texts = new Map<string, string>()
  const children = new Map<string, { id: string; order: number }[]>()
  let root = ''
  let point: string | undefined
  let text = ''
  let inText = false
  parseXml(part, {
    open(name, attributes) {
      inText = name === 't' && point !== undefined
      if (name === 'pt') {
        point = readAttribute(attributes, 'modelId')
        text = ''
        if (readAttribute(attributes, 'type') === 'doc') root = point
      }
      if (name === 'br') text += ' '
      if (name !== 'cxn') return
      const type = readAttribute(attributes, 'type')
      if (type !== '' && type !== 'parOf') return
      const from = readAttribute(attributes, 'srcId')
      const order = Number(readAttribute(attributes, 'srcOrd')) || 0
      const known = children.get(from)
      const child = { id: readAttribute(attributes, 'destId'), order }
      if (known) known.push(child)
      else children.set(from, [child])
    },
    text(piece) {
      if (inText) text += piece
    },
    close(name) {
      inText = false
      if (name === 'p') text += ' '
      if (name !== 'pt' || point === undefined) return
      if (text.trim() !== '') texts.set(point, text.replaceAll(/\s+/g, ' ').trim())
      point = undefined
    },
  })
  const lines: string[] = []
  const seen = new Set<string>()
  const waiting = [{ id: root, depth: 0 }]
  const readWaiting = () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { id, depth } = next
      if (seen.has(id)) continue
      seen.add(id)
      const shown = texts.get(id)
      if (shown !== undefined)
        lines.push(`${'  '.repeat(Math.min(maxDepth, Math.max(0, depth - 1)))}- ${shown}`)
      const below = (children.get(id) ?? []).toSorted((one, other) => other.order - one.order)
      for (const child of below) waiting.push({ id: child.id, depth: depth + 1 })
    }
  }
  readWaiting()
  for (const id of texts.keys()) {
    waiting.push({ id, depth: 1 })
    readWaiting()
  }
  return lines
}
