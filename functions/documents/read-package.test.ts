import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { overlappingZip } from '../../test/support/documents.ts'
import { OmissionCounter } from './extracted-text.ts'
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

  it.each([
    ['UTF-8', Buffer.from('\ufeff<a>é</a>')],
    ['UTF-16', Buffer.from('\ufeff<a>é</a>', 'utf16le')],
    ['big-endian UTF-16', Buffer.from('\ufeff<a>é</a>', 'utf16le').swap16()],
    [
      'the encoding that they declare',
      Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>', 'latin1'),
    ],
    ['UTF-8, and declare another', Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>')],
    ['UTF-8, and declare what nobody knows', Buffer.from('<?xml version="1.0" encoding="x-none"?><a>é</a>')],
  ])('may be in %s', (_, bytes) => {
    let text = ''
    parseXml(open({ 'a.xml': bytes }).require('a.xml'), { text: (piece) => (text += piece) })
    expect(text).toBe('é')
  })

  it('have pictures that are not changed, whatever they begin with', () => {
    const picture = Buffer.from('fffe3c21444f43545950450a', 'hex')
    const part = open({ 'a.bin': Buffer.concat([picture, Buffer.from('<!DOCTYPE')]) }).read('a.bin')
    expect(part?.length).toBe(picture.length + 9)
  })

  it.each(['word/document.xml', 'xl/workbook.xml', 'ppt/presentation.xml'])(
    'that do not say where their document is have it at %s',
    (path) => {
      expect(open({ [path]: strToU8('<a/>') }).findMain()).toBe(path)
      const other = 'Id="1" Type="t/metadata" Target="core.xml"'
      expect(open({ [path]: strToU8('<a/>'), '_rels/.rels': relationships(other) }).findMain()).toBe(path)
    },
  )

  it('without a document, or a certain part, are unreadable', () => {
    const found = open({ 'a.xml': strToU8('<a/>') })
    const unreadable = expect.objectContaining({ problem: 'unreadable' }) as Error
    expect(() => found.findMain()).toThrow(unreadable)
    expect(() => found.require('b.xml')).toThrow(unreadable)
    expect(found.read('b.xml')).toBeUndefined()
    expect(() => new DocumentPackage(strToU8('no package'), 100)).toThrow(unreadable)
  })

  it('may have a part twice, of which the first counts', () => {
    const found = open({ 'a.xml': strToU8('<a>first</a>'), 'A.xml': strToU8('<a>second</a>') })
    expect(Buffer.from(found.require('a.xml')).toString()).toBe('<a>first</a>')
    expect(found.paths).toEqual(['a.xml'])
  })

  it.each(['%zz.xml', 'http://['])('have a part at a target that is no address: %s', (target) => {
    const found = open({ 'xl/_rels/a.xml.rels': relationships(`Id="1" Type="t/x" Target="${target}"`) })
    expect(found.relationships('xl/a.xml')).toEqual([{ id: '1', type: 'x', path: target, target }])
  })

  it('have relationships without attributes, and other elements', () => {
    const found = open({
      '_rels/.rels': strToU8(
        '<Relationships><Relationship/><Other Id="x"/><Relationship Id="b" Type="plain" Target="a.xml" TargetMode="EXTERNAL"/></Relationships>',
      ),
    })
    expect(found.relationships('')).toEqual([
      { id: '', type: '', path: '', target: '' },
      { id: 'b', type: 'plain', path: '', target: 'a.xml' },
    ])
  })

  it('have text in sections, and attributes by their names alone', () => {
    const found: string[] = []
    parseXml(strToU8('<w:a w:id="1" r:ids="2" other="3"><![CDATA[<x>]]>y</w:a>'), {
      open: (name, attributes, prefix) =>
        found.push(name, prefix, readAttribute(attributes, 'id'), readAttribute(attributes, 'none')),
      text: (text) => found.push(text),
      close: (name) => found.push(name),
    })
    expect(found).toEqual(['a', 'w', '1', '', '<x>', 'y', 'a'])
    expect(readRelationshipId({ id: '1', 'r:ids': '2', 'x:idx:id': '3' })).toBe('')
    expect(readRelationshipId({ id: '1', 'rel:id': '2' })).toBe('2')
    expect(readAttribute({ 'w:val': '1', val: '2' }, 'val')).toBe('2')
  })

  it('have letters that a chunk divides', () => {
    const xml = `<a>${'é'.repeat(262_144)}</a>`
    let text = ''
    parseXml(strToU8(xml), { text: (piece) => (text += piece) })
    expect(text).toBe('é'.repeat(262_144))
  })

  it('whose part is damaged are read without it, and this is counted', () => {
    const omissions = new OmissionCounter()
    const found = open({ 'good.xml': strToU8('<a/>'), 'bad.xml': strToU8('<a') })
    const read = (path: string) =>
      found.tryRead(path, omissions, (part) => {
        parseXml(part, {})
        return part.length
      })
    expect([read('good.xml'), read('bad.xml'), read('none.xml'), read('')]).toEqual([
      4,
      undefined,
      undefined,
      undefined,
    ])
    expect(omissions.end()).toEqual([{ what: 'parts', count: 2 }])
    expect(() =>
      found.tryRead('good.xml', omissions, () => {
        throw new TypeError('ours')
      }),
    ).toThrow('ours')
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

  it('DOC-11 may be as large as allowed, and not larger', () => {
    const part = { 'a.bin': new Uint8Array(1_000) }
    expect(open(part, 1_000).read('a.bin')?.length).toBe(1_000)
    const tooLarge = expect.objectContaining({ problem: 'tooLarge' }) as Error
    const bomb = open(part, 999)
    expect(() => bomb.read('a.bin')).toThrow(tooLarge)
    expect(() => bomb.tryRead('a.bin', new OmissionCounter(), () => 1)).toThrow(tooLarge)
  })

  it('DOC-11 of more than 20,000 entries are refused', () => {
    const names = Array.from({ length: 20_001 }, (_, index) => String(index + 10_000))
    const small = new Uint8Array(1)
    expect(new DocumentPackage(overlappingZip(names.slice(0, 20_000), small), 100).paths).toHaveLength(20_000)
    expect(() => new DocumentPackage(overlappingZip(names, small), 100)).toThrow(
      expect.objectContaining({ problem: 'tooLarge' }),
    )
  })

  it('DOC-11 define an entity without a document type', () => {
    expect(() => open({ 'a.rels': strToU8('<!ENTITY b "c"><a/>') }).read('a.rels')).toThrow(
      'defines entities',
    )
  })

  it('DOC-11 are refused by the sum of what is read', () => {
    const bomb = open({ 'a.xml': new Uint8Array(600_000), 'b.xml': new Uint8Array(600_000) })
    bomb.read('a.xml')
    expect(() => bomb.read('b.xml')).toThrow(expect.objectContaining({ problem: 'tooLarge' }))
  })

  it('may name a document type, which defines nothing', () => {
    const xml = '<!DOCTYPE math PUBLIC "-//x//DTD MathML//EN" "math.dtd"><math>a</math>'
    let text = ''
    parseXml(open({ 'a.xml': strToU8(xml) }).require('a.xml'), { text: (piece) => (text += piece) })
    expect(text).toBe('a')
  })

  it.each(['<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', '\ufeff<!DOCTYPE a [<!ENTITY b "c">]><a/>'])(
    'DOC-11 define entities: %s',
    (xml) => {
      const encoded = xml.startsWith('\ufeff') ? Buffer.from(xml, 'utf16le') : strToU8(xml)
      expect(() => open({ 'a.xml': encoded }).read('a.xml')).toThrow('defines entities')
    },
  )
})
