import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { overlappingZip } from '../../test/support/documents.ts'
import { DocumentPackage, parseXml, readAttribute, readRelationshipId } from './read-package.ts'

const relationships = (...lines: string[]) =>
  strToU8(
    `<p:Relationships xmlns:p="x">${lines.map((line) => `<p:Relationship ${line}/>`).join('')}</p:Relationships>`,
  )
const open = (parts: Record<string, Uint8Array>, maxBytes = 1_000_000) =>
  new DocumentPackage(zipSync(parts), maxBytes)

describe('packages of other programs', () => {
  it.each([
    ['xl/Book.XML', 'xl/book.xml', 'xl/Book.XML'],
    ['xl\\book.xml', 'xl/book.xml', '/xl/book.xml'],
    ['/xl/book.xml', 'xl/book.xml', 'xl/../xl/book.xml'],
    ['xl/my book.xml', 'xl/my book.xml', 'xl/my%20book.xml'],
  ])('find the part %s as %s, by the target %s', (name, path, target) => {
    const found = open({
      [name]: strToU8('<a/>'),
      '_rels/.rels': relationships(
        `Id="1" Type="http://purl.oclc.org/ooxml/x/officeDocument" Target="${target}"`,
      ),
    })
    expect(found.findMain()).toBe(path)
    expect(Buffer.from(found.require(path)).toString()).toBe('<a/>')
  })

  it('resolve targets from the folder of their part, and tell those outside the package', () => {
    const found = open({
      'xl/_rels/workbook.xml.rels': relationships(
        'Id="a" Type="t/worksheet" Target="worksheets/sheet1.xml"',
        'Id="b" Type="t/comments" Target="../docProps/app.xml"',
        'Id="c" Type="t/hyperlink" Target="https://example.org/a" TargetMode="External"',
      ),
    })
    expect(found.relationships('xl/workbook.xml')).toEqual([
      { id: 'a', type: 'worksheet', path: 'xl/worksheets/sheet1.xml', target: 'worksheets/sheet1.xml' },
      { id: 'b', type: 'comments', path: 'docprops/app.xml', target: '../docProps/app.xml' },
      { id: 'c', type: 'hyperlink', path: '', target: 'https://example.org/a' },
    ])
    expect(found.relationships('xl/other.xml')).toEqual([])
  })

  it('may be in UTF-16', () => {
    const part = open({ 'a.xml': Buffer.from('\ufeff<a>é</a>', 'utf16le') }).require('a.xml')
    let text = ''
    parseXml(part, { text: (piece) => (text += piece) })
    expect(text).toBe('é')
  })

  it('use any prefix', () => {
    const found: string[] = []
    parseXml(strToU8('<q:sheet xmlns:q="x" xmlns:z="y" id="1" z:id="rId1" q:val="v"/>'), {
      open: (name, attributes) =>
        found.push(name, readRelationshipId(attributes), readAttribute(attributes, 'val')),
    })
    expect(found).toEqual(['sheet', 'rId1', 'v'])
  })
})

describe('packages that are traps', () => {
  it('DOC-11 of overlapping entries are refused, whatever sizes they claim', () => {
    const names = Array.from({ length: 30 }, (_, index) => `xl/worksheets/${index + 10}.xml`)
    const bomb = new DocumentPackage(
      overlappingZip(names, new Uint8Array(8 * 1024 * 1024)),
      160 * 1024 * 1024,
    )
    expect(() => names.forEach((name) => bomb.read(name))).toThrow(
      expect.objectContaining({ problem: 'tooLarge' }),
    )
  })

  it('DOC-11 are refused by the sum of what is read', () => {
    const bomb = open({ 'a.xml': new Uint8Array(600_000), 'b.xml': new Uint8Array(600_000) })
    bomb.read('a.xml')
    expect(() => bomb.read('b.xml')).toThrow(expect.objectContaining({ problem: 'tooLarge' }))
  })

  it.each(['<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', '\ufeff<!DOCTYPE a><a/>'])(
    'DOC-11 define entities: %s',
    (xml) => {
      const encoded = xml.startsWith('\ufeff') ? Buffer.from(xml, 'utf16le') : strToU8(xml)
      expect(() => open({ 'a.xml': encoded }).read('a.xml')).toThrow('defines entities')
    },
  )
})
