import { strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { limitReadingTime, TimeOver, type Omission } from './extracted-text.ts'
import { PartReader } from './part-reader.ts'
import { readWord } from './read-word.ts'
import { readDocument } from './readers.ts'

const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const namespaces = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:v="urn:schemas-microsoft-com:vml"',
  `xmlns:r="${types}"`,
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"',
  'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"',
  'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"',
  'xmlns:o="urn:schemas-microsoft-com:office:office"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:x="urn:x"',
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

  it.each<[format: string, number: number, shown: string]>([
    ['decimal', 12, '12'],
    ['decimalZero', 7, '07'],
    ['decimalZero', 12, '12'],
    ['lowerLetter', 1, 'a'],
    ['lowerLetter', 26, 'z'],
    ['lowerLetter', 27, 'aa'],
    ['upperLetter', 53, 'AAA'],
    ['lowerLetter', 9_000, 'd'.repeat(10)],
    ['lowerLetter', 0, '0'],
    ['upperRoman', 0, '0'],
    ['upperRoman', 1, 'I'],
    ['lowerRoman', 1994, 'mcmxciv'],
    ['lowerRoman', 2448, 'mmcdxlviii'],
    ['upperRoman', 579, 'DLXXIX'],
    ['upperRoman', 3_999, 'MMMCMXCIX'],
    ['upperRoman', 4_000, '4000'],
    ['chineseCounting', 3, '3'],
  ])('has numbers in the format %s: %i as %s', async (format, number, shown) => {
    const lists = `<w:numbering><w:abstractNum w:abstractNumId="1">${level(0, format, '%1.', number)}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>`
    expect(await read(item(1, 0, 'x'), { numbering: lists })).toBe(`${shown}. x`)
  })

  it.each<[what: string, lists: string, body: string, lines: string[]]>([
    [
      'a format without numbers',
      `<w:abstractNum w:abstractNumId="1">${level(0, 'none', '%1')}${level(1, 'decimal', '')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>`,
      item(1, 0, 'a') + item(1, 1, 'b'),
      ['a', '  b'],
    ],
    [
      'levels that say nothing but their text, or nothing',
      '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:lvlText w:val="%1."/></w:lvl><w:lvl w:ilvl="1"/></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>',
      item(1, 0, 'a') + item(1, 1, 'b'),
      ['1. a', '  b'],
    ],
    [
      'what is not defined',
      '<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>',
      item(1, 0, 'a') + item(9, 0, 'b') + item(1, 99, 'c'),
      ['a', 'b', 'c'],
    ],
    [
      'the level above, which has no item yet',
      `<w:abstractNum w:abstractNumId="1">${level(0, 'upperLetter', '%1', 3)}${level(1, 'decimal', '%1.%2.%3')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>`,
      item(1, 1, 'a') + item(1, 1, 'b'),
      ['  C.1.1 a', '  C.2.1 b'],
    ],
    [
      'nine levels, and none beyond',
      `<w:abstractNum w:abstractNumId="1">${level(8, 'decimal', '%9')}${level(9, 'decimal', 'no')}${level(-1, 'decimal', 'no')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>`,
      item(1, 8, 'a') + item(1, 9, 'b') + item(1, -1, 'c'),
      [`${'  '.repeat(8)}1 a`, `${'  '.repeat(8)}2 b`, 'c'],
    ],
    [
      'a level of the list itself, and a list of the same kind that counts on',
      `<w:abstractNum w:abstractNumId="1">${level(0, 'decimal', '%1.')}${level(1, 'decimal', '%2.')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0">${level(0, 'upperLetter', '%1:')}</w:lvlOverride><w:lvlOverride w:ilvl="1"><w:startOverride w:val="5"/></w:lvlOverride></w:num>`,
      item(1, 0, 'a') + item(2, 0, 'b') + item(2, 1, 'c') + item(2, 1, 'd') + item(1, 0, 'e'),
      ['1. a', 'B: b', '  5. c', '  6. d', '3. e'],
    ],
    [
      'other elements of a definition apart',
      `<w:abstractNum w:abstractNumId="1"><w:nsid w:val="x"/>${level(0, 'decimal', '%1.')}</w:abstractNum><w:start w:val="9"/><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num><w:lvlText w:val="no"/>`,
      item(1, 0, 'a'),
      ['1. a'],
    ],
  ])('has lists with %s', async (_, lists, body, lines) => {
    const { text } = await readWord(word(body, { numbering: `<w:numbering>${lists}</w:numbering>` }))
    expect(text.split(/\n+/)).toEqual(lines)
  })

  it.each<[what: string, styles: string, text: string]>([
    [
      'a level',
      '<w:style w:styleId="S"><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style>',
      '1.a) x',
    ],
    [
      'an earlier list',
      '<w:style w:styleId="S"><w:pPr><w:pPrChange><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:pPrChange></w:pPr></w:style>',
      'x',
    ],
    [
      'a list after an earlier one',
      '<w:style w:styleId="S"><w:pPr><w:pPrChange><w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:pPrChange><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>',
      '§ 1 x',
    ],
    ['a base that is itself', '<w:style w:styleId="S"><w:basedOn w:val="S"/></w:style>', 'x'],
    ['a base that is missing', '<w:style w:styleId="S"><w:basedOn w:val="T"/></w:style>', 'x'],
    ['no list, and a list outside it', '<w:style w:styleId="S"/><w:numId w:val="1"/>', 'x'],
  ])('has the list of a style with %s', async (_, styles, text) => {
    const parts = { numbering, styles: `<w:styles>${styles}</w:styles>` }
    expect((await read(p('x', '<w:pStyle w:val="S"/>'), parts)).trim()).toBe(text)
  })

  it.each<[what: string, body: string, text: string]>([
    [
      'paragraphs without white space at their ends',
      p('<w:r><w:t xml:space="preserve">a  </w:t><w:br/><w:t xml:space="preserve">b </w:t></w:r>'),
      'a\nb',
    ],
    [
      'no empty paragraphs',
      p('a') + p('') + p('<w:r><w:t xml:space="preserve"> </w:t></w:r>') + p('b'),
      'a\n\nb',
    ],
    ['page breaks', p('<w:r><w:t>a</w:t><w:br w:type="page"/><w:t>b</w:t></w:r>'), 'a\n\n[page break]\n\nb'],
    ['a page break at its beginning', p('<w:r><w:br w:type="page"/><w:t>b</w:t></w:r>'), '[page break]\n\nb'],
    ['struck letters', p('<w:r><w:rPr><w:strike/></w:rPr><w:t>a b</w:t></w:r>'), '~~a b~~'],
    [
      'struck and raised letters',
      p(
        '<w:r><w:t>x</w:t></w:r><w:r><w:rPr><w:strike/><w:vertAlign w:val="superscript"/></w:rPr><w:t>2</w:t></w:r>',
      ),
      'x~~^2~~',
    ],
    [
      'lowered letters',
      p(
        '<w:r><w:t>H</w:t></w:r><w:r><w:rPr><w:vertAlign w:val="subscript"/></w:rPr><w:t>2</w:t></w:r><w:r><w:rPr><w:vertAlign w:val="subscript"/></w:rPr><w:t xml:space="preserve"> </w:t></w:r><w:r><w:rPr><w:vertAlign w:val="baseline"/></w:rPr><w:t>O</w:t></w:r>',
      ),
      'H_2 O',
    ],
    [
      'empty boxes',
      p(
        '<w:sdt><w:sdtPr><w:checkbox/></w:sdtPr><w:sdtContent><w:r><w:t>text</w:t></w:r></w:sdtContent></w:sdt>',
      ),
      'text',
    ],
    [
      'boxes to check',
      p(
        '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="1"/></w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:instrText> FORMCHECKBOX </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:t xml:space="preserve"> yes</w:t></w:r>',
      ) +
        p(
          '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="0"/></w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:instrText> FORMCHECKBOX </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:t xml:space="preserve"> no</w:t></w:r>',
        ),
      '[x] yes\n\n[ ] no',
    ],
    [
      'rows that were inserted',
      `<w:tbl><w:tr><w:trPr><w:ins w:author=" "/></w:trPr><w:tc>${p('a')}</w:tc><w:tc>${p('b')}</w:tc></w:tr></w:tbl>${p('c')}`,
      '[row inserted] a\tb\n\nc',
    ],
    [
      'merged cells once',
      `<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>${p('a')}</w:tc><w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr>${p('b')}</w:tc></w:tr><w:tr><w:tc>${p('c')}</w:tc><w:tc>${p('d')}</w:tc><w:tc><w:tcPr><w:vMerge/></w:tcPr>${p('')}</w:tc></w:tr></w:tbl>`,
      'a\t\tb\nc\td\t',
    ],
    [
      'rows that begin further right than a page is wide',
      `<w:tbl><w:tr><w:trPr><w:gridBefore w:val="1000000"/></w:trPr><w:tc>${p('a')}</w:tc></w:tr></w:tbl>`,
      `${'\t'.repeat(63)}a`,
    ],
    [
      'text on both sides of a table',
      `${p('a')}<w:tbl><w:tr><w:tc>${p('b')}${p('c')}</w:tc></w:tr></w:tbl>${p('d')}`,
      'a\n\nb<br>c\n\nd',
    ],
    [
      'deleted text without its author',
      p('<w:del><w:r><w:delText>a</w:delText></w:r></w:del>'),
      '[deleted: a]',
    ],
    [
      'changes within changes',
      p(
        '<w:ins w:author="Ann"><w:r><w:t>a</w:t></w:r><w:del w:author="Bo"><w:r><w:delText>b</w:delText></w:r></w:del></w:ins>',
      ),
      '[inserted by Ann: a[deleted by Bo: b]]',
    ],
    ['inserted paragraphs', `<w:ins w:author="Ann">${p('a')}</w:ins>`, 'a'],
    [
      'inserted equations',
      p(
        '<w:ins w:author="Ann"><m:oMathPara><m:oMath><m:r><m:t>x</m:t></m:r></m:oMath></m:oMathPara></w:ins>',
      ),
      '[inserted by Ann: x]',
    ],
    [
      'no change without text',
      p('<w:r><w:t>a</w:t></w:r><w:ins w:author="Ann"><w:r><w:rPr><w:b/></w:rPr></w:r></w:ins>'),
      'a',
    ],
    [
      'text of both directions',
      p(
        '<w:bdo w:val="rtl"><w:r><w:t>a</w:t></w:r></w:bdo><w:dir w:val="ltr"><w:r><w:t>b</w:t></w:r></w:dir>',
      ),
      'ab',
    ],
    [
      'characters without how they are read aloud',
      p(
        '<w:r><w:ruby><w:rubyPr/><w:rt><w:r><w:t>とう</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>東</w:t></w:r></w:rubyBase></w:ruby></w:r>',
      ),
      '東',
    ],
    [
      'the first form of several',
      p(
        '<mc:AlternateContent><mc:Choice><w:r><w:t>a</w:t></w:r></mc:Choice><mc:Choice><w:r><w:t>b</w:t></w:r></mc:Choice><mc:Fallback><w:r><w:t>c</w:t></w:r></mc:Fallback></mc:AlternateContent><mc:AlternateContent><mc:Choice><w:r><w:t>d</w:t></w:r></mc:Choice></mc:AlternateContent>',
      ),
      'ad',
    ],
    [
      'the second form if there is no other',
      p(
        '<w:r><w:t>a</w:t></w:r><mc:AlternateContent><mc:Fallback><w:r><w:t>c</w:t></w:r></mc:Fallback></mc:AlternateContent>',
      ),
      'a',
    ],
    ['signs of XML', p('<w:r><w:t><![CDATA[a<b> & "c"]]></w:t></w:r>'), 'a<b> & "c"'],
    ['an equation with signs of XML', p('<m:oMath><m:r><m:t>a&lt;b</m:t></m:r></m:oMath>'), 'a<b'],
    [
      'a number before an equation',
      p(
        '<m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>',
        '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>',
      ),
      '§ 1 x',
    ],
    [
      'a number before a change',
      p('<w:ins><w:r><w:t>x</w:t></w:r></w:ins>', '<w:numPr><w:numId w:val="1"/></w:numPr>'),
      '§ 1 [inserted: x]',
    ],
    [
      'text boxes with numbers of their own',
      p(
        '<w:r><w:drawing><wps:txbx><w:txbxContent>' +
          item(1, 0, 'box') +
          '</w:txbxContent></wps:txbx></w:drawing><w:t>text</w:t></w:r>',
        '<w:numPr><w:numId w:val="1"/></w:numPr>',
      ),
      '§ 1 text\n§ 2 box',
    ],
    [
      'pictures without a description',
      p('<w:r><w:drawing><wp:docPr descr=" "/></w:drawing><w:t>a</w:t></w:r>'),
      'a',
    ],
  ])('has %s', async (_, body, text) => {
    expect(await read(body, { numbering })).toBe(text)
  })

  it.each<[what: string, body: string, omitted: object[]]>([
    [
      'pictures of older programs',
      '<w:r><w:pict><v:shape><v:imagedata/></v:shape></w:pict></w:r>',
      [{ what: 'pictures', count: 1 }],
    ],
    [
      'objects, and not their previews',
      '<w:r><w:object><v:shape><v:imagedata/></v:shape><o:OLEObject/></w:object></w:r>',
      [{ what: 'embedded', count: 1 }],
    ],
    [
      'charts and diagrams',
      '<w:r><w:drawing><c:chart/></w:drawing><w:drawing><dgm:relIds/></w:drawing></w:r>',
      [
        { what: 'charts', count: 1 },
        { what: 'diagrams', count: 1 },
      ],
    ],
    ['embedded documents', '<w:r><w:altChunk/></w:r>', [{ what: 'embedded', count: 1 }]],
    [
      'nothing of a form that is not read',
      '<mc:AlternateContent><mc:Fallback><w:r><c:chart/></w:r></mc:Fallback></mc:AlternateContent>',
      [],
    ],
    ['nothing of other namespaces', '<w:r><x:chart/></w:r>', []],
  ])('counts %s', async (_, body, omitted) => {
    expect((await readWord(word(p(`<w:r><w:t>a</w:t></w:r>${body}`)))).omitted ?? []).toEqual(omitted)
  })

  it('counts macros and damaged parts, and reads the others', async () => {
    const parts = { vbaProject: '<a/>', header: '<w:hdr', numbering: '<w:numbering', comments: '<w:comments' }
    expect(await readWord(word(item(1, 0, 'a'), parts))).toEqual({
      text: 'a',
      length: 1,
      omitted: [
        { what: 'parts', count: 3 },
        { what: 'macros', count: 1 },
      ],
    })
  })

  it('has comments with their authors, each where it belongs', async () => {
    const comments = `<w:comments><w:comment w:id="1" w:author="Ann">${p('why?')}${p('')}${p('when?')}</w:comment><w:comment w:id="2">${p('so')}</w:comment></w:comments>`
    const reference = (id: number) => `<w:r><w:commentReference w:id="${id}"/></w:r>`
    expect(
      await read(p(`<w:r><w:t>a</w:t></w:r>${reference(1)}<w:r><w:t>b</w:t></w:r>${reference(2)}`), {
        comments,
      }),
    ).toBe('a [comment by Ann: why?\nwhen?]b [comment: so]')
  })

  it.each([
    ['mailto:a@example.org', 'a@example.org', 'a@example.org'],
    ['https://example.org/', 'at https://example.org/ now', 'at https://example.org/ now'],
    ['https://example.org/', 'here', 'here (https://example.org/)'],
  ])('has a link to %s that shows %s as %s', async (target, shown, text) => {
    const link = `<Relationship Id="link" Type="${types}/hyperlink" Target="${target}" TargetMode="External"/>`
    expect(
      await read(p(`<w:hyperlink r:id="link"><w:r><w:t>${shown}</w:t></w:r></w:hyperlink>`), {}, link),
    ).toBe(text)
  })

  it.each([
    [['HYPERLINK "https://a.example/x" \\o "a tip"'], 'here (https://a.example/x)'],
    [['HYPERLINK "https://a.example/x" \\l "part" \\t "_blank"'], 'here (https://a.example/x#part)'],
    [[' HYPERLINK "https://a.', 'example/x" ', '\\o "a tip"'], 'here (https://a.example/x)'],
    [['HYPERLINK \\l "part" \\o "a tip"'], 'here'],
    [['HYPERLINK  "https://a.example/x"  \\l "part" \\o "a tip"'], 'here (https://a.example/x#part)'],
  ])('has the address of a field without its switches: %s', async (instructions, text) => {
    const char = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
    const codes = instructions.map((code) => `<w:r><w:instrText>${code}</w:instrText></w:r>`).join('')
    const body = `${char('begin')}${codes}${char('separate')}<w:r><w:t>here</w:t></w:r>${char('end')}`
    expect(await read(p(body))).toBe(text)
  })

  it('has the numbers of contracts: decimal whatever the levels above, and counted on', async () => {
    const levels = [
      '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="Article %1"/></w:lvl>',
      '<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:isLgl/><w:lvlText w:val="%1.%2"/></w:lvl>',
      '<w:lvl w:ilvl="2"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlRestart w:val="0"/><w:lvlText w:val="(%3)"/></w:lvl>',
      '<w:lvl w:ilvl="3"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlRestart w:val="1"/><w:lvlText w:val="%4)"/></w:lvl>',
    ].join('')
    const lists = `<w:numbering><w:abstractNum w:abstractNumId="1">${levels}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>`
    const places = [0, 0, 1, 2, 3, 1, 2, 3, 0, 1, 2, 3]
    const text = await read(places.map((level) => item(1, level, 'x')).join(''), { numbering: lists })
    expect(text.split(/\n+/).map((line) => line.trim().replace(/ x$/, ''))).toEqual([
      'Article I',
      'Article II',
      '2.1',
      '(1)',
      '1)',
      '2.2',
      '(2)',
      '2)',
      'Article III',
      '3.1',
      '(3)',
      '1)',
    ])
  })

  it('has links within it, and in its notes', async () => {
    const body = p(
      '<w:hyperlink w:anchor="part"><w:r><w:t>below</w:t></w:r></w:hyperlink><w:r><w:footnoteReference w:id="2"/></w:r>',
    )
    const bytes = word(body, {
      footnotes: `<w:footnotes><w:footnote w:id="2">${p('<w:hyperlink r:id="l"><w:r><w:t>here</w:t></w:r></w:hyperlink>')}</w:footnote></w:footnotes>`,
    })
    const rels = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="l" Type="${types}/hyperlink" Target="https://example.org/n" TargetMode="External"/></Relationships>`
    const all = zipSync({ ...unzipSync(bytes), 'word/_rels/footnotes.xml.rels': strToU8(rels) })
    expect((await readWord(all)).text).toContain('[footnote 1: here (https://example.org/n)]')
  })

  it('has headers and footers, equal ones once, without the targets of their links', async () => {
    const part = (kind: string, text: string) => `<w:${kind}>${p(text)}</w:${kind}>`
    const link = '<w:hyperlink r:id="link"><w:r><w:t>On top</w:t></w:r></w:hyperlink>'
    const bytes = word(
      p('a'),
      { header: part('hdr', link), footer: part('ftr', 'Below') },
      [
        `<Relationship Id="link" Type="${types}/hyperlink" Target="https://example.org/wrong" TargetMode="External"/>`,
        `<Relationship Id="second" Type="${types}/header" Target="header.xml"/>`,
        `<Relationship Id="third" Type="${types}/footer" Target="empty.xml"/>`,
      ].join(''),
    )
    const all = zipSync({
      ...unzipSync(bytes),
      'word/empty.xml': strToU8(`<w:ftr ${namespaces}><w:p/></w:ftr>`),
    })
    expect(await readWord(all)).toMatchObject({
      text: 'Page header: On top\n\na\n\nPage footer: Below',
    })
  })

  it('has headers whose links and pictures have any prefix, without their targets', async () => {
    const header = `<w:hdr xmlns:rel="${types}"><w:p w:id="1"><w:hyperlink rel:id="link"><w:r><w:t>On top</w:t></w:r></w:hyperlink><w:r><w:drawing><pic:pic rel:embed="link" rel:link="link"/></w:drawing></w:r></w:p></w:hdr>`
    const link = `<Relationship Id="link" Type="${types}/hyperlink" Target="https://example.org/wrong" TargetMode="External"/>`
    expect(await readWord(word(p('a'), { header }, link))).toMatchObject({
      text: 'Page header: On top\n\na',
      omitted: [{ what: 'pictures', count: 1 }],
    })
  })

  it('has notes that refer to themselves, without end', async () => {
    const body = p('<w:r><w:t>a</w:t><w:footnoteReference w:id="2"/></w:r>')
    const footnotes = `<w:footnotes><w:footnote w:id="2">${p('<w:r><w:t>again</w:t><w:footnoteReference w:id="2"/></w:r>')}</w:footnote></w:footnotes>`
    const text = await read(body, { footnotes })
    expect(text.startsWith('a [footnote 1: again [footnote 2: again')).toBe(true)
    expect(text.length).toBeLessThan(1_000)
  })

  it.each<[what: string, parts: Record<string, string>]>([
    ['a document that is missing', {}],
    ['a damaged document', { 'word/document.xml': '<w:document' }],
    ['another file', { 'word/document.xml': '<a/>' }],
  ])('cannot be read: %s', async (_, parts) => {
    const bytes = zipSync(
      Object.fromEntries(Object.entries(parts).map(([path, xml]) => [path, strToU8(xml)])),
    )
    await expect(readWord(bytes)).rejects.toMatchObject({ problem: 'unreadable' })
  })

  it.each<[what: string, body: string, text: string]>([
    [
      'lines, tabs and hyphens, but those that only show where a word may be divided',
      p(
        '<w:r><w:t>a</w:t><w:br/><w:t>b</w:t><w:tab/><w:t>c</w:t><w:noBreakHyphen/><w:softHyphen/><w:t>\u00add</w:t></w:r>',
      ),
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
      'rows with a bookmark in front of a cell',
      `<w:tbl><w:tr><w:tc>${p('a')}</w:tc><w:bookmarkStart w:id="1" w:name="column"/><w:tc>${p('b')}</w:tc><w:bookmarkEnd w:id="1"/></w:tr></w:tbl>`,
      'a\tb',
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

  it.each<[equation: string, text: string]>([
    ['<m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>', '(a+b)/2'],
    [
      '<m:f><m:fPr><m:type m:val="noBar"/></m:fPr><m:num><m:r><m:t>n</m:t></m:r></m:num><m:den><m:r><m:t>k</m:t></m:r></m:den></m:f>',
      '(n atop k)',
    ],
    [
      '<m:d><m:e><m:f><m:fPr><m:type m:val="noBar"/></m:fPr><m:num><m:r><m:t>n</m:t></m:r></m:num><m:den><m:r><m:t>k</m:t></m:r></m:den></m:f></m:e></m:d>',
      '(n choose k)',
    ],
    [
      '<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e><m:f><m:fPr><m:type m:val="noBar"/></m:fPr><m:num><m:r><m:t>n</m:t></m:r></m:num><m:den><m:r><m:t>k</m:t></m:r></m:den></m:f></m:e></m:d>',
      '[(n atop k)]',
    ],
    ['<m:bar><m:barPr><m:pos m:val="top"/></m:barPr><m:e><m:r><m:t>x</m:t></m:r></m:e></m:bar>', 'x\u0304'],
    ['<m:bar><m:e><m:r><m:t>a+b</m:t></m:r></m:e></m:bar>', '(a+b)\u0332'],
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
    ...(
      [
        ['f', { num: 'a', den: '2.5' }, 'a/2.5'],
        ['f', { num: '(a+b)', den: '(a)(b)' }, '(a+b)/((a)(b))'],
        ['sSup', { e: 'a+b', sup: '2' }, '(a+b)^2'],
        ['sSup', { e: 'x', sup: '' }, 'x'],
        ['sSub', { e: 'x', sub: 'i+1' }, 'x_(i+1)'],
        ['sSub', { e: 'xy', sub: '1' }, '(xy)_1'],
        ['sPre', { sub: '2', sup: '4', e: 'He' }, '_2^4(He)'],
        ['rad', { e: 'x' }, '√(x)'],
        ['rad', { deg: 'n+1', e: 'x' }, 'root (n+1) of (x)'],
        ['nary', { e: 'f' }, '∫ f'],
        ['d', { e: 'x' }, '(x)'],
        ['func', { fName: 'sin', e: 'x+1' }, 'sin (x+1)'],
        ['limLow', { e: 'lim', lim: 'n' }, 'lim_n'],
        ['limUpp', { e: 'lim', lim: 'n' }, 'lim^n'],
        ['acc', { e: 'x' }, 'x\u0302'],
        ['box', { e: 'x' }, 'x'],
      ] as [name: string, parts: Record<string, string>, text: string][]
    ).map(
      ([name, parts, text]) =>
        [
          `<m:${name}>${Object.entries(parts)
            .map(([part, content]) => `<m:${part}><m:r><m:t>${content}</m:t></m:r></m:${part}>`)
            .join('')}</m:${name}>`,
          text,
        ] as [string, string],
    ),
    [
      '<m:acc><m:accPr><m:chr m:val="\u0305"/></m:accPr><m:e><m:r><m:t>x</m:t></m:r></m:e></m:acc>',
      'x\u0305',
    ],
    [
      '<m:d><m:dPr><m:begChr m:val=""/><m:sepChr m:val=";"/><m:endChr m:val=""/></m:dPr><m:e><m:r><m:t>0</m:t></m:r></m:e><m:e><m:r><m:t>1</m:t></m:r></m:e></m:d>',
      '0;1',
    ],
    [
      '<m:eqArr><m:eqArrPr><m:t>no</m:t></m:eqArrPr><m:e><m:r><m:t>x=1</m:t></m:r></m:e><m:e><m:r><m:t>y=2</m:t></m:r></m:e></m:eqArr>',
      'x=1; y=2',
    ],
    ['<m:m><m:mPr/><m:mr><m:e><m:r><m:t>a</m:t></m:r></m:e></m:mr></m:m>', '[a]'],
    ['<m:r><m:rPr><m:t>no</m:t></m:rPr><m:t> a \n </m:t><m:x>no</m:x></m:r><m:r><m:t> b </m:t></m:r>', 'a b'],
    // the equation itself is the first of a hundred levels
    [`${'<m:e>'.repeat(98)}<m:t>x</m:t>${'</m:e>'.repeat(98)}<m:t>y</m:t>`, 'xy'],
    [`${'<m:e>'.repeat(99)}<m:t>x</m:t>${'</m:e>'.repeat(99)}<m:t>y</m:t>`, 'y'],
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

  it.each<[what: string, body: string, text: string]>([
    [
      'paragraphs whose end was inserted, without a word about a row',
      p('a', '<w:rPr><w:ins w:author="Bo"/></w:rPr>') +
        `<w:tbl><w:tr><w:tc>${p('b')}</w:tc><w:tc>${p('c')}</w:tc></w:tr></w:tbl>`,
      'a\n\nb\tc',
    ],
    [
      'the description of a picture once',
      p(
        '<w:r><w:drawing><wp:inline><wp:docPr descr="A map"/><pic:pic><pic:nvPicPr><pic:cNvPr descr="A map"/></pic:nvPicPr></pic:pic></wp:inline></w:drawing></w:r>',
      ),
      '[picture: A map]',
    ],
    [
      'no table whose cells are all empty',
      `${p('a')}<w:tbl><w:tr><w:tc>${p('')}</w:tc><w:tc>${p('')}</w:tc></w:tr></w:tbl>${p('b')}`,
      'a\n\nb',
    ],
    ['no empty table', `${p('a')}<w:tbl/>${p('b')}`, 'a\n\nb'],
    [
      'no number of a list where a style names none',
      p('a', '<w:pStyle w:val="None"/><w:numPr><w:ilvl w:val="x"/></w:numPr>'),
      'a',
    ],
  ])('has %s', async (_, body, text) => {
    expect(await read(body, { styles: '<w:styles/>' })).toBe(text)
  })

  // the strict format, ISO/IEC 29500-1, annex A
  const strict = 'http://purl.oclc.org/ooxml'
  const microsoft = 'http://schemas.microsoft.com/office'
  it.each<[what: string, namespace: string, part: string, read: { text?: string; omitted?: Omission[] }]>([
    ['a picture', `${strict}/drawingml/picture`, '<x:pic/>', { omitted: [{ what: 'pictures', count: 1 }] }],
    ['a chart', `${strict}/drawingml/chart`, '<x:chart/>', { omitted: [{ what: 'charts', count: 1 }] }],
    [
      'a newer chart',
      `${microsoft}/drawing/2014/chartex`,
      '<x:chart/>',
      { omitted: [{ what: 'charts', count: 1 }] },
    ],
    [
      'a diagram',
      `${strict}/drawingml/diagram`,
      '<x:relIds/>',
      { omitted: [{ what: 'diagrams', count: 1 }] },
    ],
    [
      'a description',
      `${strict}/drawingml/wordprocessingDrawing`,
      '<x:docPr descr="A map"/>',
      { text: 'a[picture: A map]' },
    ],
  ])('has or counts %s in the namespace %s', async (_, namespace, part, expected) => {
    const body = `<w:r><w:t>a</w:t><w:drawing xmlns:x="${namespace}">${part}</w:drawing></w:r>`
    expect(await readWord(word(p(body)))).toMatchObject({ text: 'a', ...expected })
  })

  it('has equations of the strict format, and no signs of other namespaces', async () => {
    const equation = (namespace: string) =>
      `<x:oMath xmlns:x="${namespace}"><x:f><x:num><x:r><x:t>a</x:t></x:r></x:num><x:den><x:r><x:t>2</x:t></x:r></x:den></x:f></x:oMath>`
    expect(await read(p(`<w:r><w:t>y=</w:t></w:r>${equation(`${strict}/officeDocument/math`)}`))).toBe(
      'y=a/2',
    )
    expect(await read(p(`<w:r><w:t>y=</w:t></w:r>${equation('urn:other')}`))).toBe('y=')
  })

  it('has changes in the strict format', async () => {
    const main = `${strict}/wordprocessingml/main`
    const bytes = unzipSync(word(''))
    const body = `<x:document xmlns:x="${main}"><x:body><x:p><x:del x:author="Bo"><x:r><x:delText>a</x:delText></x:r></x:del></x:p></x:body></x:document>`
    const { text } = await readWord(zipSync({ ...bytes, 'word/main.xml': strToU8(body) }))
    expect(text).toBe('[deleted by Bo: a]')
  })
})

// https://www.w3.org/TR/xml-names/#scoping
it('a prefix means what the nearest declaration says', async () => {
  const main = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
  const run = (text: string) => `<w:p><x:r xmlns:x="${main}"><x:t>${text}</x:t></x:r></w:p>`
  expect(await read(`<w:p><x:r xmlns:x="urn:other"><x:t>no</x:t></x:r></w:p>${run('yes')}`)).toBe('yes')
})

describe('what changes the meaning of a text, or stands beside it', () => {
  const run = (text: string, properties = '') =>
    `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`
  const field = (content: string, result = '') =>
    `<w:r><w:fldChar w:fldCharType="begin"><w:ffData>${content}</w:ffData></w:fldChar></w:r>${result && `<w:r><w:fldChar w:fldCharType="separate"/></w:r>${result}`}<w:r><w:fldChar w:fldCharType="end"/></w:r>`
  const entries = '<w:listEntry w:val="Yearly"/><w:listEntry w:val="Monthly"/>'
  const styles =
    '<w:styles><w:style w:styleId="Base"><w:rPr><w:dstrike/></w:rPr></w:style><w:style w:styleId="Old"><w:basedOn w:val="Base"/></w:style><w:style w:styleId="Draft"><w:rPr><w:vanish/></w:rPr></w:style></w:styles>'

  it.each<[what: string, content: string, text: string]>([
    ['a tab of any kind', '<w:r><w:t>a</w:t><w:ptab/><w:t>b</w:t><w:tab/><w:t>c</w:t></w:r>', 'a\tb\tc'],
    [
      'an end of a line of any kind',
      '<w:r><w:t>a</w:t><w:cr/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r>',
      'a\nb\nc',
    ],
    ['fields without content', '<w:r><w:pgNum/><w:t>, </w:t><w:dayLong/></w:r>', '[page], [date]'],
    ['doubly struck text once', run('a', '<w:strike/>') + run('b', '<w:dstrike/>') + run('c'), '~~ab~~c'],
    [
      'shifted text',
      run('10') + run('5', '<w:position w:val="8"/>') + run('x', '<w:position w:val="1"/>'),
      '10^5x',
    ],
    [
      'struck text by a style',
      run('a', '<w:rStyle w:val="Old"/>') + run('b', '<w:rStyle w:val="Old"/><w:dstrike w:val="0"/>'),
      '~~a~~b',
    ],
    [
      'hidden text once',
      run('a ') + run('b ', '<w:vanish/>') + run('c', '<w:rStyle w:val="Draft"/>') + run(' d'),
      'a [hidden: b c] d',
    ],
    [
      'hidden texts apart',
      run('a', '<w:vanish/>') + run('b') + run('c', '<w:vanish/>'),
      '[hidden: a]b[hidden: c]',
    ],
    ['the chosen entry of a list', field(`<w:ddList><w:result w:val="1"/>${entries}</w:ddList>`), 'Monthly'],
    ['the first entry of a list', field(`<w:ddList>${entries}</w:ddList>`), 'Yearly'],
    ['an entry that is written', field(`<w:ddList>${entries}</w:ddList>`, run('Monthly')), 'Monthly'],
    [
      'the text of a button',
      '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> MACROBUTTON NoMacro </w:instrText></w:r><w:r><w:instrText>Click here</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>',
      'Click here',
    ],
    [
      'symbols',
      run('\u{f0fc}ü', '<w:rFonts w:ascii="Wingdings"/>') +
        '<w:r><w:sym w:font="Symbol" w:char="F0B3"/></w:r>',
      '✓✓≥',
    ],
    ['word art', '<w:r><w:pict><v:shape><v:textpath string="Sale"/></v:shape></w:pict></w:r>', 'Sale'],
    ['texts in containers that nobody knows', '<x:new>' + run('a') + '</x:new>', 'a'],
    [
      'texts of drawings',
      '<w:r><w:drawing><a:p><a:t>a</a:t></a:p><a:p><a:t>b</a:t></a:p></w:drawing></w:r>',
      'a\nb',
    ],
  ])('has %s', async (_, content, text) => {
    expect(await read(p(content), { styles })).toBe(text)
  })

  it('counts texts of elements that nobody knows, and what it marks as hidden', async () => {
    const found = await readWord(
      word(
        p(`${run('a', '<w:vanish/>')}<w:r><x:new>some words</x:new><w:sym w:font="X" w:char="F0B3"/></w:r>`),
      ),
    )
    expect(found).toEqual({
      text: '[hidden: a]',
      length: 11,
      hidden: 1,
      omitted: [
        { what: 'unknown', count: 1 },
        { what: 'damagedCharacters', count: 1 },
      ],
    })
  })

  it('has the values of charts, the texts of diagrams, and addresses of pictures', async () => {
    const drawing = (content: string) => `<w:r><w:drawing>${content}</w:drawing></w:r>`
    const found = await readWord(
      word(
        p(run('a') + drawing('<c:chart r:id="chart"/>') + drawing('<dgm:relIds r:dm="diagramData"/>')) +
          p(drawing('<wp:docPr descr="Map"><a:hlinkClick r:id="l"/></wp:docPr>')),
        {
          chart:
            '<c:chartSpace><c:ser><c:tx><c:v>Sum</c:v></c:tx><c:cat><c:pt idx="0"><c:v>x</c:v></c:pt></c:cat><c:val><c:pt idx="0"><c:v>7</c:v></c:pt></c:val></c:ser></c:chartSpace>',
          diagramData: '<dgm:dataModel><dgm:pt modelId="1"><a:t>step</a:t></dgm:pt></dgm:dataModel>',
        },
        '<Relationship Id="l" Type="x/hyperlink" Target="https://x.test" TargetMode="External"/>',
      ),
    )
    expect(found.text.split(/\n+/)).toEqual([
      'a',
      '[chart]',
      '\tSum',
      'x\t7',
      '- step',
      '[picture: Map] (https://x.test)',
    ])
    expect(found.omitted).toBeUndefined()
  })

  it('has the chunks of a long document as one, and hands over what was read in time', async () => {
    const long = Array.from({ length: 30 }, (_, index) => p(run(`${index} ${'word '.repeat(20_000)}`))).join(
      '',
    )
    const whole = await readWord(word(long))
    expect(whole.text.split('\n\n').length).toBe(30)
    limitReadingTime(-1)
    await expect(readWord(word(long))).rejects.toThrow(TimeOver)
    limitReadingTime(Infinity)
  })
})

describe('an end that was deleted while changes are tracked', () => {
  const gone = (text: string) =>
    `<w:p><w:pPr><w:rPr><w:del w:author="Bo"/></w:rPr></w:pPr><w:del w:author="Bo"><w:r><w:delText>${text}</w:delText></w:r></w:del></w:p>`

  // how programs write it: the row, each end of a paragraph, and each run
  it('of a row joins it with no other row, nor its cells', async () => {
    const row = (properties: string, ...cells: string[]) =>
      `<w:tr>${properties}${cells.map((text) => `<w:tc>${text}</w:tc>`).join('')}</w:tr>`
    const rows = [
      row('', p('Item'), p('Price')),
      row('<w:trPr><w:del w:author="Bo"/></w:trPr>', gone('Setup'), gone('500')),
      row('', p('Licence'), p('900')),
    ]
    expect(await read(`<w:tbl>${rows.join('')}</w:tbl>`)).toBe(
      'Item\tPrice\n[row deleted by Bo] [deleted by Bo: Setup]\t[deleted by Bo: 500]\nLicence\t900',
    )
  })

  it('of the last paragraph takes no text with it', async () => {
    expect(await readWord(word(p('first') + gone('last words')))).toEqual({
      text: 'first\n\n[deleted by Bo: last words]',
      length: 34,
    })
  })
})

it('files that the body imports stand where it names them', async () => {
  const link = `<Relationship Id="f1" Type="${types}/aFChunk" Target="a.htm"/>`
  const document = unzipSync(word(`${p('one')}<w:altChunk r:id="f1"/>${p('three')}`, {}, link))
  const bytes = zipSync({ ...document, 'word/a.htm': strToU8('<html><p>two <b>&amp;</b></p></html>') })
  expect((await readWord(bytes, new PartReader(readDocument))).text).toBe('one\n\ntwo &\n\nthree')
})

it('what is no well-formed XML is read all the same, and said', async () => {
  expect(await readWord(word(p('Salt & pepper')))).toEqual({
    text: 'Salt & pepper',
    length: 13,
    omitted: [{ what: 'parts', count: 1 }],
  })
  await expect(readWord(word(p('<w:r>')))).rejects.toThrow('not XML')
})
