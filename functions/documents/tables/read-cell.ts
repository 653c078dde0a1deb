import { isHours, type Cell } from './cells.ts'
import { readClock, readDate, readNumber, type DateText, type NumberText } from './read-value.ts'

/** What exports write for nothing. In a column of texts it stays. */
const nothing = new Set(
  'n/a na #n/a #nv n.v. n.a. n.d. (null) <null> k.a. null none nan nil - – — -- ? . .. ... : #value! #wert! #ref! #bezug! #div/0! #name? #num! #zahl! #null!'.split(
    ' ',
  ),
)
/** Errors of spreadsheets in other languages, and newer ones: `#SPILL!`, `#¿NOMBRE?`, `#DEEL/0!`. LibreOffice numbers its own. */
const errorForm =
  /^(?:#[¡¿]?\p{Lu}[\p{Lu}\d_/]{1,14}[!?]|#\p{Lu}\/\p{Lu}|#GETTING_DATA|(?:Err|Fehler):5\d\d)$/u
const maxErrorCharacters = 18
/** What MySQL and PostgreSQL write for NULL, whatever the type of the column. */
export const databaseNull = String.raw`\N`
const isNothing = (text: string) =>
  (text.length <= 8 && nothing.has(text.toLowerCase())) ||
  (text.length <= maxErrorCharacters && /^[#EF]/.test(text) && errorForm.test(text))

type Reading =
  | { kind: 'empty' | 'nothing' | 'id' | 'text' }
  | { kind: 'boolean'; value: 0 | 1 }
  | ({ kind: 'number' } & NumberText)
  | { kind: 'clock'; hours: number; isDuration?: boolean }
  | ({ kind: 'date' } & DateText)

const empty: Reading = { kind: 'empty' }
const plainText: Reading = { kind: 'text' }

export function readCell(cell: Cell): Reading {
  switch (typeof cell) {
    case 'undefined':
      return empty
    case 'number':
      return { kind: 'number', point: cell, comma: cell, unit: '' }
    case 'boolean':
      return { kind: 'boolean', value: cell ? 1 : 0 }
    case 'object':
      return isHours(cell)
        ? { kind: 'clock', hours: cell.value, isDuration: cell.unit === 'duration' }
        : { kind: 'number', point: cell.value, comma: cell.value, unit: cell.unit }
    default:
      return readKnownText(cell)
  }
}

const unusual =
  /[\u00ad\u061c\u2009\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u0660-\u0669\u066b\u066c\u06f0-\u06f9\uff05\uff0b-\uff1a]/
const invisible = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/** Without the marks that nobody sees, and with digits and signs of Arabic and of full width as ASCII; longer texts stay. */
function simplify(text: string): string {
  if (text.length > maxSimplified || !unusual.test(text)) return text
  return text
    .replaceAll(invisible, '')
    .replaceAll('\u2009', '\u202f')
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replaceAll(/[\uff05\uff0b-\uff1a]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replaceAll('\u066b', '.')
    .replaceAll('\u066c', '')
    .trim()
}

const maxSimplified = 60

/** Words repeat: regions, states, customers. Numbers differ, and are read faster than they are found. */
const knownTexts = new Map<string, Reading>()
const maxKnownTexts = 2_000
const maxKnownCharacters = 24

function readKnownText(cell: string): Reading {
  const first = cell.charCodeAt(0)
  const isNumeric = first < 0x41
  if (isNumeric || cell.length > maxKnownCharacters) return readText(cell.trim())
  const known = knownTexts.get(cell)
  if (known) return known
  const reading = readText(cell.trim())
  if (knownTexts.size >= maxKnownTexts) knownTexts.clear()
  knownTexts.set(cell, reading)
  return reading
}

function readText(written: string): Reading {
  const text = simplify(written)
  if (text === '' || text === databaseNull) return empty
  if (isNothing(text)) return { kind: 'nothing' }
  const number = readNumber(text)
  if (number === 'id') return { kind: 'id' }
  if (number) return { kind: 'number', ...number }
  if (/^(?:true|false)$/i.test(text)) return { kind: 'boolean', value: /^t/i.test(text) ? 1 : 0 }
  const date = readDate(text)
  if (date) return { kind: 'date', ...date }
  const hours = readClock(text)
  return hours === undefined ? plainText : { kind: 'clock', hours }
}

export const isValue = (cell: Cell): boolean =>
  ['number', 'boolean', 'date', 'clock', 'id'].includes(readCell(cell).kind)
