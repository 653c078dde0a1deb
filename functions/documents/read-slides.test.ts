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
      'ppt/notesSlides/n.xml': `<p:notes>${shape(paragraph('header'), '<p:ph type="hdr"/>')}${shape(paragraph('say hello'), '<p:ph type="body"/>')}</p:notes>`,
      'ppt/comments/c.xml': '<p:cmLst><p:cm authorId="0"><p:text>why?</p:text></p:cm></p:cmLst>',
    }),
  ).toBe('text\n[comment by Ann: why?]\nSpeaker notes: say hello')
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
