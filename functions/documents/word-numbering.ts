import { listPairs } from './list-pairs.ts'
import { parseXml, readAttribute } from './read-package.ts'

// Numbers of list items as Word shows them (ECMA-376-1, 17.9): "1.", "2.1", "(a)", "§ 3".

interface Level {
  format: string
  text: string
  start: number
  /** all numbers of its text are decimal, as in legal documents */
  isLegal: boolean
  /** it begins anew behind items of this level, from 1, and of those above; 0: never; undefined: behind all above it */
  restart: number | undefined
}

interface Numbering {
  levels: ReadonlyMap<number, Level>
  /** numbers at which the list begins, where it differs from its definition */
  starts: ReadonlyMap<number, number>
  /** lists of one definition count on */
  definition: string
}

export interface NumberingReference {
  list: string
  level: number
}

export interface WordNumbering {
  next: (reference: NumberingReference) => string
}

const maxLevels = 9

const roman = listPairs('m:1000 cm:900 d:500 cd:400 c:100 xc:90 l:50 xl:40 x:10 ix:9 v:5 iv:4 i:1')

function toRoman(number: number): string {
  if (number > 3_999) return String(number)
  let rest = number
  let letters = ''
  for (const [sign, value] of roman)
    while (rest >= Number(value)) {
      letters += sign
      rest -= Number(value)
    }
  return letters
}

/** a, b, … z, aa, bb */
function toLetters(number: number): string {
  const letter = String.fromCodePoint(97 + ((number - 1) % 26))
  return letter.repeat(Math.min(10, Math.floor((number - 1) / 26) + 1))
}

/** Formats by the letters that pages and OpenDocument have for them. */
export const numberFormats = new Map(listPairs('a:lowerLetter A:upperLetter i:lowerRoman I:upperRoman'))

/** @param format as Word names it; others are decimal */
export const formatNumber = (number: number, format: string): string =>
  (number >= 1 && Object.hasOwn(formats, format) && formats[format]?.(number)) || String(number)
const formats: Readonly<Record<string, (number: number) => string>> = {
  lowerLetter: toLetters,
  upperLetter: (number) => toLetters(number).toUpperCase(),
  lowerRoman: toRoman,
  upperRoman: (number) => toRoman(number).toUpperCase(),
  decimalZero: (number) => String(number).padStart(2, '0'),
}

const levelProperties: Readonly<Record<string, (value: string) => Partial<Level>>> = {
  start: (value) => ({ start: Number(value) }),
  numFmt: (format) => ({ format }),
  isLgl: (value) => ({ isLegal: !/^(?:0|false|off)$/.test(value) }),
  lvlRestart: (value) => ({ restart: Number(value) }),
  lvlText: (text) => ({ text }),
}

function readNumberings(part: Uint8Array): Map<string, Numbering> {
  const definitions = new Map<string, Map<number, Level>>()
  const lists = new Map<
    string,
    { definition: string; starts: Map<number, number>; levels: Map<number, Level> }
  >()
  let definition = ''
  let list = ''
  let index = 0
  parseXml(part, {
    open(name, attributes) {
      const value = readAttribute(attributes, 'val')
      const inList = list !== ''
      const levels = inList ? lists.get(list)?.levels : definitions.get(definition)
      const level = levels?.get(index)
      switch (name) {
        case 'abstractNum':
          definition = readAttribute(attributes, 'abstractNumId')
          definitions.set(definition, new Map())
          break
        case 'num':
          list = readAttribute(attributes, 'numId')
          lists.set(list, { definition: '', starts: new Map(), levels: new Map() })
          break
        case 'abstractNumId': {
          const known = lists.get(list)
          if (known) known.definition = value
          break
        }
        case 'lvlOverride':
          index = Number(readAttribute(attributes, 'ilvl'))
          break
        case 'startOverride':
          lists.get(list)?.starts.set(index, Number(value))
          break
        case 'lvl':
          index = Number(readAttribute(attributes, 'ilvl'))
          if (index >= 0 && index < maxLevels)
            levels?.set(index, { format: 'decimal', text: '', start: 1, isLegal: false, restart: undefined })
          break
        default:
          if (level && Object.hasOwn(levelProperties, name))
            Object.assign(level, levelProperties[name]?.(value))
      }
    },
    close(name) {
      if (name === 'num') list = ''
      if (name === 'abstractNum') definition = ''
    },
  })
  return new Map(
    [...lists].map(([id, { definition: used, starts, levels }]) => [
      id,
      { definition: used, starts, levels: new Map([...(definitions.get(used) ?? []), ...levels]) },
    ]),
  )
}

export function readWordNumbering(part: Uint8Array): WordNumbering {
  const lists = readNumberings(part)
  const counters = new Map<string, (number | undefined)[]>()
  const begun = new Set<string>()

  return {
    next({ list, level }) {
      const known = lists.get(list)
      const used = known?.levels.get(level)
      if (!known || !used) return ''
      const counts = counters.get(known.definition) ?? []
      counters.set(known.definition, counts)
      const override = known.starts.get(level)
      // a list with a start of its own begins anew
      if (override !== undefined && !begun.has(`${list} ${level}`)) counts[level] = override - 1
      begun.add(`${list} ${level}`)
      counts[level] = (counts[level] ?? used.start - 1) + 1
      for (let below = level + 1; below < counts.length; below += 1) {
        const { restart } = known.levels.get(below) ?? {}
        if (restart === undefined || level < restart) counts[below] = undefined
      }
      const indent = '  '.repeat(level)
      if (used.format === 'bullet') return `${indent}- `
      if (used.format === 'none') return indent
      const label = used.text.replaceAll(/%([1-9])/g, (_, digit: string) => {
        const at = Number(digit) - 1
        const shown = known.levels.get(at)
        const format = used.isLegal && shown?.format !== 'decimalZero' ? 'decimal' : shown?.format
        return formatNumber(counts[at] ?? shown?.start ?? 1, format ?? 'decimal')
      })
      return label === '' ? indent : `${indent}${label} `
    },
  }
}
