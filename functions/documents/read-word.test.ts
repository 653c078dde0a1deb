import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { readWord } from './read-word.ts'

const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const namespaces = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:v="urn:schemas-microsoft-com:vml"',
  `xmlns:r="${types}"`,
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"',
  'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"',
].join(' ')

/** @param parts content of further parts by the type of their relationship */
function word(body: string, parts: Record<string, string> = {}, relationships = ''): Uint8Array {
  const names = Object.keys(parts)
  const related = names.map(
    (name) => `<Relationship Id="${name}" Type="${types}/${name}" Target="${name}.xml"/>`,
  )
  return zipSync({
    '_rels/.rels': strToU8(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="${types}/officeDocument" Target="word/main.xml"/></Relationships>`,
    ),
    'word/main.xml': strToU8(`<w:document ${namespaces}><w:body>${body}</w:body></w:document>`),
    'word/_rels/main.xml.rels': strToU8(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${related.join('')}${relationships}</Relationships>`,
    ),
    ...Object.fromEntries(
      Object.entries(parts).map(([name, xml]) => [
        `word/${name}.xml`,
        strToU8(xml.replace(/^<([\w:]+)/, `<$1 ${namespaces}`)),
      ]),
    ),
  })
}

const p = (text: string, properties = '') =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${text.startsWith('<') ? text : `<w:r><w:t>${text}</w:t></w:r>`}</w:p>`
const read = async (...input: Parameters<typeof word>) => (await readWord(word(...input))).text

const level = (number: number, format: string, text: string, start = 1) =>
  `<w:lvl w:ilvl="${number}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`
const numbering = `<w:numbering><w:abstractNum w:abstractNumId="1">${level(0, 'decimal', '§ %1')}${level(1, 'lowerLetter', '%1.%2)')}${level(2, 'upperRoman', '(%3)')}</w:abstractNum><w:abstractNum w:abstractNumId="2">${level(0, 'bullet', '·')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="2"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num></w:numbering>`
const item = (list: number, ilvl: number, text: string) =>
  p(text, `<w:numPr><w:ilvl w:val="${ilvl}"/><w:numId w:val="${list}"/></w:numPr>`)

describe('a Word document', () => {
  it('has the numbers of its lists, over levels, paragraphs between them and new starts', async () => {
    const body = [
      item(1, 0, 'one'),
      item(1, 1, 'sub'),
      item(1, 1, 'sub'),
      item(1, 2, 'deep'),
      p('between'),
      item(1, 0, 'two'),
      item(1, 1, 'sub'),
      item(2, 0, 'dot'),
      item(3, 0, 'seven'),
      p('styled', '<w:pStyle w:val="Clause"/>'),
      p('not in a list', '<w:pStyle w:val="Clause"/><w:numPr><w:numId w:val="0"/></w:numPr>'),
    ].join('')
    const styles =
      '<w:styles><w:style w:type="paragraph" w:styleId="Base"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style><w:style w:type="paragraph" w:styleId="Clause"><w:basedOn w:val="Base"/></w:style></w:styles>'
    expect((await read(body, { numbering, styles })).split(/\n+/)).toEqual([
      '§ 1 one',
      '  1.a) sub',
      '  1.b) sub',
      '    (I) deep',
      'between',
      '§ 2 two',
      '  2.a) sub',
      '- dot',
      '§ 7 seven',
      '§ 8 styled',
      'not in a list',
    ])
  })

  it.each<[what: string, body: string, text: string]>([
    [
      'lines, tabs and hyphens',
      p('<w:r><w:t>a</w:t><w:br/><w:t>b</w:t><w:tab/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t></w:r>'),
      'a\nb\tc\u2011d',
    ],
    [
      'text boxes once',
      p(
        '<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:inline><wps:txbx><w:txbxContent><w:p><w:r><w:t>box</w:t></w:r></w:p></w:txbxContent></wps:txbx></wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent><w:p><w:r><w:t>box</w:t></w:r></w:p></w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent><w:t>text</w:t></w:r>',
      ),
      'text\n\nbox',
    ],
    [
      'text boxes of older programs',
      p(
        '<w:r><w:pict><v:oval><v:textbox><w:txbxContent><w:p><w:r><w:t>box</w:t></w:r></w:p></w:txbxContent></v:textbox></v:oval></w:pict></w:r>',
      ),
      'box',
    ],
    ['fields', p('<w:fldSimple w:instr="DATE"><w:r><w:t>today</w:t></w:r></w:fldSimple>'), 'today'],
    [
      'deleted rows',
      `<w:tbl><w:tr>${'<w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc>'.repeat(2)}</w:tr><w:tr><w:trPr><w:del w:id="1" w:author="Bo"/></w:trPr><w:tc>${p('b')}</w:tc><w:tc>${p('c')}</w:tc></w:tr></w:tbl>`,
      'a\ta\n[row deleted by Bo] b\tc',
    ],
    [
      'rows that begin further right',
      `<w:tbl><w:tr><w:tc>${p('a')}</w:tc><w:tc>${p('b')}</w:tc></w:tr><w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr><w:tc>${p('c')}</w:tc></w:tr></w:tbl>`,
      'a\tb\n\tc',
    ],
    [
      'tables in cells',
      `<w:tbl><w:tr><w:tc>${p('a')}<w:tbl><w:tr><w:tc>${p('x')}</w:tc><w:tc>${p('y')}</w:tc></w:tr></w:tbl></w:tc><w:tc>${p('b')}</w:tc></w:tr></w:tbl>`,
      'a<br>x | y\tb',
    ],
    [
      'moved text',
      p(
        '<w:moveFrom w:author="Bo"><w:r><w:t>here</w:t></w:r></w:moveFrom><w:moveTo w:author="Bo"><w:r><w:t>there</w:t></w:r></w:moveTo>',
      ),
      '[moved from here by Bo: here][moved to here by Bo: there]',
    ],
    [
      'changes of formatting without a word',
      p(
        '<w:r><w:rPr><w:b/><w:rPrChange w:author="Bo"><w:rPr><w:i/></w:rPr></w:rPrChange></w:rPr><w:t>a</w:t></w:r>',
        '<w:rPr><w:ins w:author="Bo"/></w:rPr>',
      ),
      'a',
    ],
    [
      'raised and lowered letters',
      p('<w:r><w:t>10</w:t></w:r><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>-3</w:t></w:r>'),
      '10^(-3)',
    ],
  ])('has %s', async (_, body, text) => {
    expect(await read(body)).toBe(text)
  })

  it('has footnotes, endnotes and links where they belong', async () => {
    const note = (kind: string, text: string) =>
      `<w:${kind}s><w:${kind} w:type="separator" w:id="-1">${p('-')}</w:${kind}><w:${kind} w:id="2">${p(text)}</w:${kind}></w:${kind}s>`
    const body = p(
      '<w:r><w:t>a</w:t></w:r><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteReference w:id="2"/></w:r><w:r><w:t>, b</w:t></w:r><w:r><w:endnoteReference w:id="2"/></w:r><w:hyperlink r:id="link"><w:r><w:t> here</w:t></w:r></w:hyperlink>',
    )
    const link = `<Relationship Id="link" Type="${types}/hyperlink" Target="https://example.org/" TargetMode="External"/>`
    const parts = { footnotes: note('footnote', 'first'), endnotes: note('endnote', 'second') }
    expect(await read(body, parts, link)).toBe(
      'a [footnote 1: first], b [endnote 2: second] here (https://example.org/)',
    )
  })

  it.each([
    ['<m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>', '(a+b)/2'],
    [
      '<m:sSubSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sub><m:r><m:t>i</m:t></m:r></m:sub><m:sup><m:r><m:t>10</m:t></m:r></m:sup></m:sSubSup>',
      'x_i^10',
    ],
    [
      '<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub><m:r><m:t>i=1</m:t></m:r></m:sub><m:sup><m:r><m:t>n</m:t></m:r></m:sup><m:e><m:r><m:t>i</m:t></m:r></m:e></m:nary>',
      '∑_(i=1)^n i',
    ],
    [
      '<m:rad><m:deg><m:r><m:t>3</m:t></m:r></m:deg><m:e><m:r><m:t>8</m:t></m:r></m:e></m:rad>',
      'root 3 of (8)',
    ],
    [
      '<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e><m:r><m:t>0</m:t></m:r></m:e><m:e><m:r><m:t>1</m:t></m:r></m:e></m:d>',
      '[0|1]',
    ],
    [
      '<m:m><m:mr><m:e><m:r><m:t>a</m:t></m:r></m:e><m:e><m:r><m:t>b</m:t></m:r></m:e></m:mr><m:mr><m:e><m:r><m:t>c</m:t></m:r></m:e><m:e><m:r><m:t>d</m:t></m:r></m:e></m:mr></m:m>',
      '[a, b; c, d]',
    ],
    [
      '<m:func><m:fName><m:r><m:t>sin</m:t></m:r></m:fName><m:e><m:r><m:t>x</m:t></m:r></m:e></m:func>',
      'sin x',
    ],
  ])('has its equations as text: %s', async (equation, text) => {
    expect(await read(p(`<m:oMath>${equation}</m:oMath>`))).toBe(text)
  })

  it('says what a picture shows, and counts it as not read', async () => {
    const body = p(
      '<w:r><w:drawing><wp:inline><wp:docPr id="1" descr="A map of Oslo"/><pic:pic/></wp:inline></w:drawing></w:r>',
    )
    expect(await readWord(word(body))).toMatchObject({
      text: '[picture: A map of Oslo]',
      omitted: [{ what: 'pictures', count: 1 }],
    })
  })

  it('may use any prefixes', async () => {
    const main = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
    const body = `<x:document xmlns:x="${main}"><x:body><x:p><x:del x:author="Bo"><x:r><x:delText>a</x:delText></x:r></x:del></x:p></x:body></x:document>`
    const header = `<y:hdr xmlns:y="${main}"><y:p><y:r><y:t>On top</y:t></y:r></y:p></y:hdr>`
    const bytes = zipSync({
      '_rels/.rels': strToU8(
        `<Relationships><Relationship Id="a" Type="${types}/officeDocument" Target="d.xml"/></Relationships>`,
      ),
      'd.xml': strToU8(body),
      '_rels/d.xml.rels': strToU8(
        `<q:Relationships xmlns:q="http://schemas.openxmlformats.org/package/2006/relationships"><q:Relationship Id="h" Type="${types}/header" Target="h.xml"/></q:Relationships>`,
      ),
      'h.xml': strToU8(header),
    })
    expect((await readWord(bytes)).text).toBe('Page header: On top\n\n[deleted by Bo: a]')
  })
})
