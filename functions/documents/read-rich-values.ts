import { parseXml, readAttribute } from './read-package.ts'

// Pictures in cells, and data types such as places, are stored as errors with metadata (MS-XLSX, 2.1.27 and 2.6.228).

interface RichValue {
  structure: number
  values: string[]
}

function readValues(part: Uint8Array): RichValue[] {
  const found: RichValue[] = []
  let inValue = false
  parseXml(part, {
    open(name, attributes) {
      if (name === 'rv') found.push({ structure: Number(readAttribute(attributes, 's')), values: [] })
      inValue = name === 'v'
      if (inValue) found.at(-1)?.values.push('')
    },
    text(text) {
      const values = found.at(-1)?.values
      if (inValue && values) values[values.length - 1] += text
    },
    close() {
      inValue = false
    },
  })
  return found
}

function readStructures(part: Uint8Array): { type: string; keys: string[] }[] {
  const found: { type: string; keys: string[] }[] = []
  parseXml(part, {
    open(name, attributes) {
      if (name === 's') found.push({ type: readAttribute(attributes, 't'), keys: [] })
      if (name === 'k') found.at(-1)?.keys.push(readAttribute(attributes, 'n'))
    },
  })
  return found
}

function readMetadata(part: Uint8Array): Map<number, number> {
  const types: string[] = []
  const future: number[] = []
  const found = new Map<number, number>()
  let list = ''
  let block = 0
  parseXml(part, {
    open(name, attributes) {
      if (name === 'metadataType') types.push(readAttribute(attributes, 'name'))
      if (name === 'futureMetadata') list = readAttribute(attributes, 'name')
      if (name === 'valueMetadata') list = name
      if (name === 'rvb' && list === 'XLRICHVALUE') future.push(Number(readAttribute(attributes, 'i')))
      if (name === 'bk' && list === 'valueMetadata') block += 1
      if (name !== 'rc' || list !== 'valueMetadata') return
      const index = future[Number(readAttribute(attributes, 'v'))]
      const isRich = types[Number(readAttribute(attributes, 't')) - 1] === 'XLRICHVALUE'
      if (isRich && index !== undefined) found.set(block, index)
    },
    close(name) {
      if (name === 'futureMetadata' || name === 'valueMetadata') list = ''
    },
  })
  return found
}

function describe(
  { type, keys }: { type: string; keys: string[] },
  values: readonly string[],
): string | undefined {
  const find = (key: string) => values[keys.indexOf(key)] ?? ''
  if (/image/i.test(type)) {
    const text = find('Text').trim()
    return text === '' ? '[picture]' : `[picture: ${text}]`
  }
  return find('_DisplayString') || undefined
}

/** @returns what cells show by the number of their metadata */
export function readRichValues(parts: readonly (Uint8Array | undefined)[]): Map<number, string> {
  const [metadata, values, structures] = parts
  const shown = new Map<number, string>()
  if (!metadata || !values || !structures) return shown
  try {
    const all = readValues(values)
    const known = readStructures(structures)
    for (const [number, index] of readMetadata(metadata)) {
      const structure = known[all[index]?.structure ?? -1]
      const text = structure && describe(structure, all[index]?.values ?? [])
      if (text !== undefined) shown.set(number, text)
    }
  } catch {
    // the cells are there without them, as errors
  }
  return shown
}
