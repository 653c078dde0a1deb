import { strToU8, zipSync } from 'fflate'

// Minimal valid documents for tests.

const xml = (body: string) => strToU8(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${body}`)
const relationshipsNs = 'http://schemas.openxmlformats.org/package/2006/relationships'
const officeNs = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** @param targets type and target by id */
const relationships = (targets: Record<string, readonly [type: string, target: string]>) =>
  xml(
    `<Relationships xmlns="${relationshipsNs}">${Object.entries(targets)
      .map(
        ([id, [type, target]]) => `<Relationship Id="${id}" Type="${officeNs}/${type}" Target="${target}"/>`,
      )
      .join('')}</Relationships>`,
  )
const rootRelationship = (target: string) => relationships({ rId1: ['officeDocument', target] })
const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** @param prologue text before the root element, such as a document type */
export function docx(paragraphs: readonly string[], prologue = '', extra: Record<string, Uint8Array> = {}) {
  const w = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
  const body = paragraphs.map(
    (text) => `<w:p><w:r><w:t>${text.startsWith('&') ? text : escape(text)}</w:t></w:r></w:p>`,
  )
  return zipSync({
    '[Content_Types].xml': xml(
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    ),
    '_rels/.rels': rootRelationship('word/document.xml'),
    'word/document.xml': xml(
      `${prologue}<w:document xmlns:w="${w}"><w:body>${body.join('')}</w:body></w:document>`,
    ),
    ...extra,
  })
}

export type Cell = string | number | { date: number } | boolean

const column = (index: number) => String.fromCharCode(65 + index)

/** @param sheets rows of cells by the sheet's name */
export function xlsx(sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>) {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const strings: string[] = []
  const cell = (value: Cell, ref: string) => {
    if (typeof value === 'string') return `<c r="${ref}" t="s"><v>${strings.push(value) - 1}</v></c>`
    if (typeof value === 'boolean') return `<c r="${ref}" t="b"><v>${Number(value)}</v></c>`
    return typeof value === 'number'
      ? `<c r="${ref}"><v>${value}</v></c>`
      : `<c r="${ref}" s="1"><v>${value.date}</v></c>`
  }
  const names = Object.keys(sheets)
  const parts = Object.values(sheets).map((rows) => {
    const lines = rows.map(
      (cells, row) =>
        // as real programs do, without empty cells
        `<row r="${row + 1}">${cells.map((value, index) => (value === '' ? '' : cell(value, `${column(index)}${row + 1}`))).join('')}</row>`,
    )
    return xml(`<worksheet xmlns="${main}"><sheetData>${lines.join('')}</sheetData></worksheet>`)
  })
  return zipSync({
    '_rels/.rels': rootRelationship('xl/workbook.xml'),
    'xl/workbook.xml': xml(
      `<workbook xmlns="${main}" xmlns:r="${officeNs}"><sheets>${names
        .map((name, index) => `<sheet name="${escape(name)}" sheetId="${index + 1}" r:id="s${index}"/>`)
        .join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': relationships({
      ...Object.fromEntries(
        names.map((_, index) => [`s${index}`, ['worksheet', `worksheets/sheet${index + 1}.xml`]] as const),
      ),
      styles: ['styles', 'styles.xml'],
      strings: ['sharedStrings', 'sharedStrings.xml'],
    }),
    'xl/styles.xml': xml(
      `<styleSheet xmlns="${main}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    ),
    'xl/sharedStrings.xml': xml(
      `<sst xmlns="${main}">${strings.map((text) => `<si><t>${escape(text)}</t></si>`).join('')}</sst>`,
    ),
    ...Object.fromEntries(parts.map((part, index) => [`xl/worksheets/sheet${index + 1}.xml`, part])),
  })
}

/** @param slides paragraphs of each slide, in presentation order; the files are named in reverse order */
export function pptx(slides: readonly (readonly string[])[]) {
  const a = 'http://schemas.openxmlformats.org/drawingml/2006/main'
  const p = 'http://schemas.openxmlformats.org/presentationml/2006/main'
  const file = (index: number) => `slides/slide${slides.length - index}.xml`
  return zipSync({
    '_rels/.rels': rootRelationship('ppt/presentation.xml'),
    'ppt/presentation.xml': xml(
      `<p:presentation xmlns:p="${p}" xmlns:r="${officeNs}"><p:sldIdLst>${slides
        .map((_, index) => `<p:sldId id="${256 + index}" r:id="s${index}"/>`)
        .join('')}</p:sldIdLst></p:presentation>`,
    ),
    'ppt/_rels/presentation.xml.rels': relationships(
      Object.fromEntries(slides.map((_, index) => [`s${index}`, ['slide', file(index)] as const])),
    ),
    ...Object.fromEntries(
      slides.map((paragraphs, index) => [
        `ppt/${file(index)}`,
        xml(
          `<p:sld xmlns:p="${p}" xmlns:a="${a}"><p:cSld><p:spTree><p:sp><p:txBody>${paragraphs.map((text) => `<a:p><a:r><a:t>${escape(text)}</a:t></a:r></a:p>`).join('')}</p:txBody></p:sp></p:spTree></p:cSld></p:sld>`,
        ),
      ]),
    ),
  })
}

/** A PDF with a page for each text, with its lines; an empty text gives a page without text, like a scanned one. */
export function pdf(pages: readonly string[], { encrypted = false } = {}): Buffer {
  const objects: string[] = []
  const add = (body: string) => objects.push(body)
  add('<< /Type /Catalog /Pages 2 0 R >>')
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(' ')
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`)
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>')
  pages.forEach((text, index) => {
    const lines = text.split('\n').map((line) => `(${line.replace(/[()\\]/g, '\\$&')}) Tj T*`)
    const content = text === '' ? '' : `BT /F1 12 Tf 14 TL 20 700 Td ${lines.join(' ')} ET`
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + index * 2} 0 R >>`,
    )
    add(pdfStream(content))
  })
  if (encrypted)
    add(`<< /Filter /Standard /V 1 /R 2 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> /P -44 >>`)
  return Buffer.from(rawPdf(objects, encrypted ? `/Encrypt ${objects.length} 0 R /ID [<00><00>]` : ''))
}

/** A PDF of these objects in Latin-1, of which the first is its catalogue. @param entries of its trailer */
export function rawPdf(objects: readonly string[], entries = ''): Uint8Array<ArrayBuffer> {
  let file = '%PDF-1.4\n'
  const offsets = objects.map((body, index) => {
    const at = file.length
    file += `${index + 1} 0 obj\n${body}\nendobj\n`
    return at
  })
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  file += `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R ${entries} >>\nstartxref\n${file.length}\n%%EOF\n`
  return new Uint8Array(Buffer.from(file, 'latin1'))
}

/** An object of a PDF with content. @param entries of its dictionary */
export const pdfStream = (content: string, entries = '') =>
  `<< ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`

/** A zip whose entries all name the same stored bytes, and say that they unpack to nothing. @param names all of one length */
export function overlappingZip(names: readonly string[], content: Uint8Array): Buffer {
  const zip = Buffer.from(zipSync({ [names[0] ?? '']: content }, { level: 0 }))
  const end = Buffer.from(zip.subarray(-22))
  const start = end.readUInt32LE(16)
  const record = zip.subarray(start, -22)
  const records = names.map((name) => {
    const copy = Buffer.from(record)
    copy.writeUInt32LE(0, 24)
    copy.write(name, 46)
    return copy
  })
  for (const offset of [8, 10]) end.writeUInt16LE(names.length, offset)
  end.writeUInt32LE(record.length * names.length, 12)
  return Buffer.concat([zip.subarray(0, start), ...records, end])
}
