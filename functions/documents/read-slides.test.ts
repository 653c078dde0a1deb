import { strToU8, zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { readSlides } from './read-slides.ts'

const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relationships = (targets: Record<string, readonly [type: string, target: string]>) =>
  `<Relationships>${Object.entries(targets)
    .map(([id, [type, target]]) => `<Relationship Id="${id}" Type="${types}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`

const paragraph = (text: string, properties = '') => `<a:p>${properties}<a:r><a:t>${text}</a:t></a:r></a:p>`
const shape = (content: string, placeholder = '') =>
  `<p:sp><p:nvSpPr><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:txBody>${content}</p:txBody></p:sp>`

function presentation(slide: string, parts: Record<string, string> = {}): Uint8Array {
  const all: Record<string, string> = {
    '_rels/.rels': relationships({ a: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/presentation.xml':
      '<p:presentation xmlns:r="r"><p:sldIdLst><p:sldId id="256" r:id="s"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relationships({
      s: ['slide', 'slides/slide1.xml'],
      c: ['commentAuthors', 'authors.xml'],
    }),
    'ppt/authors.xml': '<p:cmAuthorLst><p:cmAuthor id="0" name="Ann"/></p:cmAuthorLst>',
    'ppt/slides/slide1.xml': `<p:sld><p:cSld><p:spTree>${slide}</p:spTree></p:cSld></p:sld>`,
    ...parts,
  }
  return zipSync(Object.fromEntries(Object.entries(all).map(([path, xml]) => [path, strToU8(xml)])))
}
const read = (slide: string, parts?: Record<string, string>) =>
  readSlides(presentation(slide, parts)).text.replace('Slide 1\n', '')

const cell = (text: string, merge = '') => `<a:tc${merge}><a:txBody>${paragraph(text)}</a:txBody></a:tc>`

it.each<[what: string, slide: string, text: string]>([
  [
    'numbers and levels',
    shape(
      paragraph('one', '<a:pPr><a:buAutoNum type="arabicPeriod"/></a:pPr>') +
        paragraph('sub', '<a:pPr lvl="1"/>') +
        paragraph('two', '<a:pPr><a:buAutoNum type="arabicPeriod"/></a:pPr>'),
    ),
    '1. one\n  sub\n2. two',
  ],
  [
    'shapes once, in the first of their forms',
    `<mc:AlternateContent><mc:Choice>${shape(paragraph('a'))}</mc:Choice><mc:Fallback>${shape(paragraph('b'))}</mc:Fallback></mc:AlternateContent>`,
    'a',
  ],
  [
    'no number of the slide',
    shape(paragraph('3'), '<p:ph type="sldNum"/>') + shape(paragraph('text')),
    'text',
  ],
  [
    'merged cells once',
    `<a:tbl><a:tr>${cell('wide', ' gridSpan="2"')}${cell('hidden', ' hMerge="1"')}${cell('tall', ' rowSpan="2"')}</a:tr><a:tr>${cell('x')}${cell('')}${cell('hidden', ' vMerge="1"')}</a:tr></a:tbl>`,
    'wide\t\ttall\nx\t\t',
  ],
  [
    'equations',
    shape(
      '<a:p><a:r><a:t>y = </a:t></a:r><a14:m><m:oMath><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></a14:m></a:p>',
    ),
    'y = x^2',
  ],
  [
    'numbers that begin anew in each shape, and within each item',
    shape(
      ['a', '1:b', '1:c', 'd', '1:e']
        .map((item) => {
          const [text = '', level] = item.split(':').toReversed()
          return paragraph(text, `<a:pPr lvl="${level ?? 0}"><a:buAutoNum/></a:pPr>`)
        })
        .join(''),
    ) +
      shape(
        paragraph('f', '<a:pPr><a:buAutoNum startAt="5"/></a:pPr>') +
          paragraph('g', '<a:pPr><a:buAutoNum startAt="5"/></a:pPr>'),
      ),
    '1. a\n  1. b\n  2. c\n2. d\n  1. e\n5. f\n6. g',
  ],
  [
    'levels from 0 to 8',
    shape(
      paragraph('a', '<a:pPr lvl="-1"/>') +
        paragraph('b', '<a:pPr lvl="99"/>') +
        paragraph('c', '<a:pPr lvl="x"/>') +
        paragraph('d'),
    ),
    `a\n${'  '.repeat(8)}b\nc\nd`,
  ],
  [
    'lines, and no empty paragraphs',
    shape(
      '<a:p><a:r><a:t>a</a:t></a:r><a:br/><a:r><a:t>b  </a:t></a:r></a:p><a:p/><a:p><a:r><a:t> </a:t></a:r></a:p>' +
        paragraph('c'),
    ),
    'a\nb\nc',
  ],
  ['nothing of its empty shapes', shape('') + shape('<a:p/>') + shape(paragraph('a')), 'a'],
  [
    'no text but that of its runs',
    `<p:sp><p:txBody>no<a:p>no<a:r>no<a:t>yes</a:t>no</a:r></a:p></p:txBody></p:sp>`,
    'yes',
  ],
  [
    'what lines lead from and to, in the direction of their arrows',
    ['', 'headEnd', 'tailEnd headEnd', 'tailEnd']
      .map((ends, at) => {
        const [from, to] = [at + 1, at === 3 ? 9 : at + 2]
        const arrows = ends.replaceAll(/\w+/g, '<a:$& type="triangle"/>')
        return `${shape(paragraph(`S${at + 1}`)).replace('<p:nvPr>', `<p:cNvPr id="${from}"/><p:nvPr>`)}<p:cxnSp><p:cNvPr id="${from + 20}"/><a:stCxn id="${from}"/><a:endCxn id="${to}"/><a:ln>${arrows}</a:ln></p:cxnSp>`
      })
      .join(''),
    'S1\nS2\nS3\nS4\nS1 → S2\nS3 → S2\nS3 ↔ S4',
  ],
  [
    'text of connectors and groups, after its title',
    `<p:grpSp>${shape(paragraph('a'))}</p:grpSp>${shape(paragraph('b'), '<p:ph type="title"/>')}`,
    'b\na',
  ],
  [
    'a table with lines in cells',
    `<a:tbl><a:tr><a:tc><a:txBody>${paragraph('a')}${paragraph('b')}</a:txBody></a:tc>${cell('c')}</a:tr></a:tbl>`,
    'a<br>b\tc',
  ],
  ['no empty tables', `<a:tbl><a:tr>${cell('')}${cell(' ')}</a:tr></a:tbl>${shape(paragraph('x'))}`, 'x'],
  [
    'tables with one text',
    `<a:tbl><a:tr>${cell('')}</a:tr><a:tr>${cell('')}${cell('a')}</a:tr></a:tbl>`,
    '\t\n\ta',
  ],
  [
    'text before and after a table',
    `${shape(paragraph('a'))}<a:tbl><a:tr>${cell('b')}</a:tr></a:tbl>${shape(paragraph('c'))}`,
    'a\nb\nc',
  ],
  [
    'a table beside the number of the slide',
    `${shape(paragraph('3'), '<p:ph type="sldNum"/>')}<a:tbl><a:tr>${cell('b')}</a:tr></a:tbl>`,
    'b',
  ],
  [
    'cells that are merged, in words too',
    `<a:tbl><a:tr>${cell('a')}${cell('no', ' hMerge="true"')}${cell('b', ' hMerge="0" vMerge="false"')}</a:tr></a:tbl>`,
    'a\t\tb',
  ],
  [
    'equations after and before text',
    shape(
      '<a:p><a:r><a:t>a </a:t></a:r><m:oMath><m:r><m:t>x</m:t></m:r><m:r><m:t>y</m:t></m:r></m:oMath><a:r><a:t> b</a:t></a:r></a:p>',
    ),
    'a xy b',
  ],
])('a slide has %s', (_, slide, text) => {
  expect(read(slide)).toBe(text)
})

it('a slide has its comments and what is said of it, without the header of the notes', () => {
  expect(
    read(shape(paragraph('text')), {
      'ppt/slides/_rels/slide1.xml.rels': relationships({
        n: ['notesSlide', '../notesSlides/n.xml'],
        k: ['comments', '../comments/c.xml'],
      }),
      'ppt/notesSlides/n.xml': `<p:notes>${shape(paragraph('header'), '<p:ph type="hdr"/>')}${shape(paragraph('say hello'), '<p:ph type="body"/>')}${shape(paragraph('and smile'))}</p:notes>`,
      'ppt/comments/c.xml': '<p:cmLst><p:cm authorId="0"><p:text>why?</p:text></p:cm></p:cmLst>',
    }),
  ).toBe('text\n[comment by Ann: why?]\nSpeaker notes: say hello\nSpeaker notes: and smile')
})

it('shows comments of both forms, with their replies', () => {
  expect(
    read(shape(paragraph('text')), {
      'ppt/_rels/presentation.xml.rels': relationships({
        s: ['slide', 'slides/slide1.xml'],
        c: ['commentAuthors', 'authors.xml'],
        d: ['authors', 'people.xml'],
        e: ['authors', 'missing.xml'],
      }),
      'ppt/people.xml': '<p188:authorLst><p188:author id="{1}" name="Bo"/></p188:authorLst>',
      'ppt/slides/_rels/slide1.xml.rels': relationships({
        k: ['comments', '../comments/old.xml'],
        l: ['comments', '../comments/new.xml'],
      }),
      'ppt/comments/old.xml':
        '<p:cmLst><p:cm authorId="0"><p:pos>no</p:pos><p:text> why? </p:text></p:cm><p:cm authorId="9"><p:text>so</p:text></p:cm><p:cm authorId="0"><p:text> </p:text></p:cm></p:cmLst>',
      'ppt/comments/new.xml': `<p188:cmLst><p188:cm authorId="{1}"><p188:txBody>${paragraph('one')}${paragraph('two')}</p188:txBody><p188:replyLst><p188:reply authorId="0"><p188:txBody>${paragraph('yes')}</p188:txBody></p188:reply></p188:replyLst></p188:cm></p188:cmLst>`,
    }),
  ).toBe('text\n[comment by Ann: why?]\n[comment: so]\n[comment by Bo: one\ntwo]\n[comment by Ann: yes]')
})

it.each([
  ['<p:sld show="0">', ' (hidden)'],
  ["<p:sld xmlns:p='x' show='false'>", ' (hidden)'],
  ['<sld show="0">', ' (hidden)'],
  ['<p:sld show="1">', ''],
  ['<p:sld showMasterSp="0">', ''],
  ['<p:sld><p:other show="0"/>', ''],
])('says whether a slide is hidden: %s', (root, mark) => {
  const name = /^<([\w:]+)/.exec(root)?.[1]
  const slide = `${root}${shape(paragraph('a'))}</${name}>`
  expect(readSlides(presentation('', { 'ppt/slides/slide1.xml': slide })).text).toBe(`Slide 1${mark}\na`)
})

const run = (text: string, properties = '', content = '') =>
  `<a:r><a:rPr ${properties}>${content}</a:rPr><a:t>${text}</a:t></a:r>`
const placed = (text: string, x: number, y: number) =>
  `<p:sp><p:spPr><a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="9" cy="100"/></a:xfrm></p:spPr><p:txBody>${paragraph(text)}</p:txBody></p:sp>`
const link = '<a:hlinkClick r:id="l"/>'
const values = (name: string, points: readonly string[]) =>
  `<c:${name}><c:numRef><c:numCache><c:formatCode>0%</c:formatCode>${points.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('')}</c:numCache></c:numRef></c:${name}>`
const names = (points: readonly string[]) => values('cat', points).replaceAll(/<c:formatCode>.*?code>/gi, '')
const series = (name: string, content: string) =>
  `<c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>${name}</c:v></c:pt></c:strCache></c:strRef></c:tx>${content}</c:ser>`
const chart = (content: string) =>
  `<c:chartSpace><c:chart><c:title><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:title>${content}<c:valAx><c:title><a:t>axis</a:t></c:title></c:valAx></c:chart></c:chartSpace>`

it.each<[what: string, slide: string, text: string, parts?: Record<string, string>]>([
  [
    'raised, lowered and struck text',
    shape(
      `<a:p>${run('10')}${run('5', 'baseline="30000"')}${run(' CO')}${run('2', 'baseline="-25000"')}${run(' a', 'strike="sngStrike"')}${run('b', 'strike="dblStrike"')}${run(' c', 'strike="noStrike" baseline="0"')}</a:p>`,
    ),
    '10^5 CO_2 ~~ab~~ c',
  ],
  [
    'marks of its list style',
    shape(
      `<a:lstStyle><a:lvl1pPr><a:defRPr strike="sngStrike"/></a:lvl1pPr></a:lstStyle>${paragraph('old')}`,
    ),
    '~~old~~',
  ],
  [
    'symbols',
    shape(
      `<a:p>${run('\u{f0fc} x', '', '<a:sym typeface="Wingdings"/>')}${run('a', '', '<a:latin typeface="Symbol"/>')}</a:p>`,
    ),
    '✓ xα',
  ],
  [
    'addresses behind texts, shapes and pictures, and what pictures show',
    shape(`<a:p>${run('the ', '', link)}${run('plan', '', link)}${run('.')}</a:p>`) +
      `<p:sp><p:nvSpPr><p:cNvPr>${link}</p:cNvPr></p:nvSpPr><p:txBody>${paragraph('map')}</p:txBody></p:sp>` +
      `<p:pic><p:cNvPr descr="Exit left">${link}</p:cNvPr></p:pic><p:pic><p:cNvPr descr="image1.png"/></p:pic>`,
    'the plan (https://x.test/a).\nmap (https://x.test/a)\n[picture: Exit left] (https://x.test/a)',
  ],
  [
    'shapes from the top to the bottom and from the left to the right',
    placed('d', 0, 300) + placed('b', 900, 90) + placed('a', 0, 100) + placed('e', 900, 320),
    'a\nb\nd\ne',
  ],
  [
    'hidden shapes',
    `<p:sp><p:nvSpPr><p:cNvPr hidden="1"/></p:nvSpPr><p:txBody>${paragraph('secret')}</p:txBody></p:sp>`,
    '[hidden: secret]',
  ],
  [
    'the values of a chart',
    '<p:graphicFrame><c:chart r:id="c"/></p:graphicFrame>',
    '[chart: Sales]\n\tA\tB\nx\t10%\t30%\ny\t20%\t',
    {
      'ppt/slides/c.xml': chart(
        series('A', names(['x', 'y']) + values('val', ['0.1', '0.2'])) +
          series('B', names(['x', 'y']) + values('val', ['0.3'])),
      ),
    },
  ],
  [
    'the texts of a diagram in their order',
    '<p:graphicFrame><dgm:relIds r:dm="d"/></p:graphicFrame>',
    '- one\n  - part\n- two',
    {
      'ppt/slides/d.xml':
        '<dgm:dataModel><dgm:pt modelId="0" type="doc"/><dgm:pt modelId="2"><dgm:t><a:p><a:t>two</a:t></a:p></dgm:t></dgm:pt><dgm:pt modelId="1"><a:t>one</a:t></dgm:pt><dgm:pt modelId="3"><a:t>part</a:t></dgm:pt><dgm:cxn srcId="0" destId="2" srcOrd="1"/><dgm:cxn srcId="0" destId="1" srcOrd="0"/><dgm:cxn srcId="1" destId="3"/><dgm:cxn srcId="3" destId="0"/></dgm:dataModel>',
    },
  ],
])('a slide has %s in words', (_, slide, text, parts) => {
  const found = read(slide, {
    'ppt/slides/_rels/slide1.xml.rels': `<Relationships><Relationship Id="l" Type="x/hyperlink" Target="https://x.test/a" TargetMode="External"/><Relationship Id="c" Type="x/chart" Target="c.xml"/><Relationship Id="d" Type="x/diagramData" Target="d.xml"/></Relationships>`,
    ...parts,
  })
  expect(found).toBe(text)
})

it('places what only its layout places', () => {
  const holder = (text: string, index: number) => shape(paragraph(text), `<p:ph idx="${index}"/>`)
  const found = read(holder('right', 2) + holder('left', 1), {
    'ppt/slides/_rels/slide1.xml.rels': relationships({ a: ['slideLayout', 'layout.xml'] }),
    'ppt/slides/layout.xml': `<p:sldLayout>${[1, 2].map((index) => `<p:sp><p:ph idx="${index}"/><a:off x="${index * 100}" y="5"/><a:ext cy="50"/></p:sp>`).join('')}</p:sldLayout>`,
  })
  expect(found).toBe('left\nright')
})

it('cannot be read if no slide can, and is empty if it has none', () => {
  expect(() => readSlides(presentation('<p:sp'))).toThrow(expect.objectContaining({ problem: 'unreadable' }))
  expect(() =>
    readSlides(presentation('', { 'ppt/_rels/presentation.xml.rels': relationships({}) })),
  ).toThrow(expect.objectContaining({ problem: 'unreadable' }))
  expect(readSlides(presentation('', { 'ppt/presentation.xml': '<p:presentation/>' }))).toEqual({
    text: '',
    length: 0,
  })
})

it('numbers its slides by their place, and counts macros, sounds and objects', () => {
  const slides =
    '<p:presentation xmlns:r="r"><p:sldIdLst><p:sldId r:id="e"/><p:sldId r:id="s"/><p:sldId r:id="x"/></p:sldIdLst></p:presentation>'
  const found = readSlides(
    presentation(shape(paragraph('a')) + '<p:pic><a:audioFile/></p:pic>', {
      'ppt/presentation.xml': slides,
      'ppt/_rels/presentation.xml.rels': relationships({
        s: ['slide', 'slides/slide1.xml'],
        e: ['slide', 'slides/slide2.xml'],
        v: ['vbaProject', 'vba.bin'],
      }),
      'ppt/slides/slide2.xml': '<p:sld/>',
    }),
  )
  expect(found).toEqual({
    text: 'Slide 2\na',
    length: 9,
    // a slide without text has its place too
    places: [
      { label: 'slide 1', title: 'Slide 1', at: 0 },
      { label: 'slide 2', title: 'Slide 2', at: 0 },
    ],
    omitted: [
      { what: 'macros', count: 1 },
      { what: 'pictures', count: 1 },
      { what: 'media', count: 1 },
    ],
  })
})

it('counts what it does not read, and damaged slides', () => {
  const slide =
    '<p:pic/><p:graphicFrame><c:chart/></p:graphicFrame><dgm:relIds/><mc:AlternateContent><mc:Choice><p:oleObj/></mc:Choice><mc:Fallback><p:oleObj><p:pic/></p:oleObj></mc:Fallback></mc:AlternateContent><p:pic><p:nvPicPr><a:videoFile/></p:nvPicPr></p:pic>'
  const found = readSlides(
    presentation(slide, {
      'ppt/presentation.xml':
        '<p:presentation xmlns:r="r"><p:sldIdLst><p:sldId r:id="s"/><p:sldId r:id="bad"/></p:sldIdLst></p:presentation>',
      'ppt/_rels/presentation.xml.rels': relationships({
        s: ['slide', 'slides/slide1.xml'],
        bad: ['slide', 'slides/slide2.xml'],
      }),
      'ppt/slides/slide2.xml': '<p:sld',
    }),
  )
  expect(found.omitted).toEqual([
    { what: 'pictures', count: 2 },
    { what: 'charts', count: 1 },
    { what: 'diagrams', count: 1 },
    { what: 'embedded', count: 1 },
    { what: 'media', count: 1 },
    { what: 'parts', count: 1 },
  ])
})
