import { parseArea, type TableArea } from './tables/cells.ts'
import { formatRuns, type TextRun } from './format-runs.ts'
import { compileFormat, type FormatNumber } from './number-format.ts'
import { decodeEscapes, readFontProperty, showText, type CellLook } from './read-cells.ts'
import { isOn, parseXml, readAttribute, readRelationshipId } from './read-package.ts'

export function readSharedStrings(part: Uint8Array): string[] {
  const strings: string[] = []
  let runs: TextRun[] = []
  let look: CellLook | undefined
  let current = ''
  let inText = false
  let hintDepth = 0
  parseXml(part, {
    open(name, attributes) {
      if (name === 'si') runs = []
      if (name === 'r') look = {}
      else if (look) Object.assign(look, readFontProperty(name, attributes))
      if (name === 'rPh') hintDepth += 1
      inText = name === 't' && hintDepth === 0
    },
    text(text) {
      if (inText) current += text
    },
    close(name) {
      if (name === 't' && current !== '') {
        const { font = '', ...marks } = look ?? {}
        runs.push({ ...marks, text: showText(decodeEscapes(current), { font }) })
        current = ''
      }
      if (name === 'si') strings.push(formatRuns(runs))
      if (name === 'r') look = undefined
      if (name === 'rPh') hintDepth -= 1
      inText = false
    },
  })
  return strings
}

export function readStyles(
  part: Uint8Array,
  is1904: boolean,
): { formats: FormatNumber[]; looks: CellLook[] } {
  const formats: FormatNumber[] = []
  const looks: CellLook[] = []
  const fonts: CellLook[] = []
  let inFonts = false
  const codes = new Map<string, string>()
  const compiled = new Map<string, FormatNumber>()
  let inCells = false
  parseXml(part, {
    open(name, attributes) {
      const id = readAttribute(attributes, 'numFmtId')
      if (name === 'numFmt') codes.set(id, readAttribute(attributes, 'formatCode'))
      if (name === 'cellXfs') inCells = true
      if (name === 'fonts') inFonts = true
      else if (inFonts && name === 'font') fonts.push({})
      else if (inFonts) Object.assign(fonts.at(-1) ?? {}, readFontProperty(name, attributes))
      if (name !== 'xf' || !inCells) return
      const known = compiled.get(id) ?? compileFormat(Number(id), codes.get(id), is1904)
      compiled.set(id, known)
      formats.push(known)
      looks.push(fonts[Number(readAttribute(attributes, 'fontId'))] ?? {})
    },
    close(name) {
      if (name === 'cellXfs') inCells = false
      if (name === 'fonts') inFonts = false
    },
  })
  return { formats, looks }
}

export interface Sheet {
  name: string
  isHidden: boolean
  relationshipId: string
}

/** @returns `hasPlaceholders`: programs calculate it anew when they open it, so stored results may be missing */
export function readSheetList(part: Uint8Array) {
  const sheets: Sheet[] = []
  let is1904 = false
  let hasPlaceholders = false
  /** names of ranges, as they are written: `'May 1'!$A$3:$D$20` */
  const ranges: string[] = []
  let isRange = false
  parseXml(part, {
    open(name, attributes) {
      isRange =
        name === 'definedName' &&
        /^(?!_xlnm\.)|^_xlnm\._FilterDatabase$/.test(readAttribute(attributes, 'name'))
      if (isRange) ranges.push('')
      if (name === 'workbookPr') is1904 = isOn(readAttribute(attributes, 'date1904'))
      if (name === 'calcPr') hasPlaceholders = isOn(readAttribute(attributes, 'fullCalcOnLoad'))
      if (name === 'sheet')
        sheets.push({
          name: readAttribute(attributes, 'name'),
          isHidden: /hidden/i.test(readAttribute(attributes, 'state')),
          relationshipId: readRelationshipId(attributes),
        })
    },
    text(text) {
      if (isRange) ranges[ranges.length - 1] += text
    },
    close() {
      isRange = false
    },
  })
  return { sheets, is1904, hasPlaceholders, ranges }
}

export function readTableObject(part: Uint8Array): TableArea | undefined {
  let area: TableArea | undefined
  parseXml(part, {
    open(name, attributes) {
      if (name === 'table' && readAttribute(attributes, 'headerRowCount') !== '0')
        area = parseArea(
          readAttribute(attributes, 'ref'),
          Number(readAttribute(attributes, 'totalsRowCount')) || 0,
        )
    },
  })
  return area
}

/** The ranges of a sheet among the names of a workbook. */
export const listAreas = (ranges: readonly string[], sheet: string): TableArea[] =>
  ranges.flatMap((range) => {
    const at = range.lastIndexOf('!')
    const name = range.slice(0, Math.max(0, at)).replace(/^'|'$/g, '').replaceAll("''", "'")
    return name === sheet ? (parseArea(range.slice(at + 1)) ?? []) : []
  })

export type Comments = Map<string, string[]>

/** Reads notes (ECMA-376-1, 18.7) and threaded comments (MS-XLSX 2.6.206), which have the same shape. */
export function readComments(part: Uint8Array, people: ReadonlyMap<string, string>): Comments {
  const comments: Comments = new Map()
  const authors: string[] = []
  let comment: { ref: string; author: string; text: string } | undefined
  let target: 'author' | 'text' | undefined
  parseXml(part, {
    open(name, attributes) {
      target = name === 'author' ? 'author' : name === 't' || name === 'text' ? 'text' : undefined
      if (name === 'author') authors.push('')
      if (name === 'comment' || name === 'threadedComment')
        comment = {
          ref: readAttribute(attributes, 'ref'),
          author:
            authors[Number(readAttribute(attributes, 'authorId') || NaN)] ??
            people.get(readAttribute(attributes, 'personId')) ??
            '',
          text: '',
        }
    },
    text(text) {
      if (target === 'author') authors[authors.length - 1] += text
      if (target === 'text' && comment) comment.text += text
    },
    close(name) {
      target = undefined
      if ((name !== 'comment' && name !== 'threadedComment') || !comment) return
      const { ref, author, text } = comment
      const shown = `[comment${author.trim() === '' ? '' : ` by ${author.trim()}`}: ${decodeEscapes(text).trim()}]`
      comments.set(ref, [...(comments.get(ref) ?? []), shown])
      comment = undefined
    },
  })
  return comments
}

export function readPeople(part: Uint8Array): Map<string, string> {
  const people = new Map<string, string>()
  parseXml(part, {
    open(name, attributes) {
      if (name === 'person')
        people.set(readAttribute(attributes, 'id'), readAttribute(attributes, 'displayName'))
    },
  })
  return people
}

/** Headers and footers contain codes: `&L`, `&"Arial,Bold"`, `&12`, `&K0000FF`, `&P` for the page. */
export const cleanHeader = (text: string) =>
  text
    .replaceAll(/&"[^"]{0,200}"|&K[0-9A-Fa-f]{6}|&\d{1,3}|&[LCR]/g, ' ')
    .replaceAll(/&[BIUESXY]/g, '')
    .replaceAll('&P', '[page]')
    .replaceAll('&N', '[pages]')
    .replaceAll('&&', '&')
    .trim()
