import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { readInNoTime } from '../../test/support/read-in-no-time.ts'
import type { Omission } from './extracted-text.ts'
import { readOpenDocument } from './read-open-document.ts'

interface Parts {
  /** automatic styles of the content */
  styles?: string
  /** `styles.xml` */
  common?: string
  others?: Record<string, string>
}

function openDocument(
  kind: string,
  body: string,
  { styles = '', common, others = {} }: Parts = {},
): Uint8Array {
  const parts: Record<string, string> = {
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    ...(common !== undefined && {
      'styles.xml': `<office:document-styles>${common}</office:document-styles>`,
    }),
    ...others,
  }
  return zipSync(Object.fromEntries(Object.entries(parts).map(([path, part]) => [path, strToU8(part)])))
}
const read = (...input: Parameters<typeof openDocument>) => readOpenDocument(openDocument(...input))
const readWriting = (body: string, parts?: Parts) => read('text', body, parts).text
const p = (text: string) => `<text:p>${text}</text:p>`
const pictures = (count: number): Omission[] => [{ what: 'pictures', count }]

describe('a text document', () => {
  it.each<[what: string, body: string, text: string]>([
    [
      'paragraphs and headings',
      '<text:h>Title</text:h><text:p>one</text:p><text:p/><text:p>two</text:p>',
      'Title\n\none\n\ntwo',
    ],
    ['white space as one space', p(' a \n\t\r b '), 'a b'],
    ['spaces that are written as elements', p('a<text:s text:c="3"/>b<text:s/>c'), 'a   b c'],
    ['at most a hundred spaces', p('a<text:s text:c="101"/>b'), `a${' '.repeat(100)}b`],
    ['tabs and lines', p('a<text:tab/>b<text:line-break/>c<text:soft-page-break/>d'), 'a\tb\ncd'],
    [
      'pages that change, as names of their fields',
      p(
        '<text:page-number>7</text:page-number> of <text:page-count>9</text:page-count> in <text:sheet-name>?</text:sheet-name>.',
      ),
      '[page] of [pages] in [sheet].',
    ],
    [
      'the description of a picture',
      p('a<draw:frame><svg:title>T</svg:title><svg:desc>D</svg:desc></draw:frame>b'),
      'a [picture: D]b',
    ],
    [
      'what stands in rows and cells of no table',
      '<table:table-row><table:table-cell><text:p>a</text:p></table:table-cell></table:table-row><text:p>b</text:p>',
      'a\n\nb',
    ],
    [
      'readings behind characters',
      p(
        '<text:ruby><text:ruby-base>東京</text:ruby-base><text:ruby-text>とうきょう</text:ruby-text></text:ruby>へ',
      ),
      '東京(とうきょう)へ',
    ],
    ['its title as a field', p('<text:title>Report</text:title> of May'), 'Report of May'],
    [
      'a link',
      p('See <text:a xlink:href="https://example.org/a">here</text:a>.'),
      'See here (https://example.org/a).',
    ],
    ['a link of another scheme', p('<text:a xlink:href="svn+ssh://x">here</text:a>'), 'here (svn+ssh://x)'],
    [
      'a link that is shown',
      p('<text:a xlink:href="https://example.org">at https://example.org</text:a>'),
      'at https://example.org',
    ],
    [
      'an address of e-mail once',
      p('<text:a xlink:href="mailto:a@example.org">a@example.org</text:a>'),
      'a@example.org',
    ],
    ['a link within it without its target', p('<text:a xlink:href="#part:2">below</text:a>'), 'below'],
    [
      'a picture that is a link, and its own text box',
      p(
        'a<draw:a xlink:href="https://example.org"><draw:frame><draw:text-box><text:p>box</text:p></draw:text-box></draw:frame></draw:a>',
      ),
      'box\n\na (https://example.org)',
    ],
    [
      'a section of links around paragraphs',
      `<draw:a xlink:href="https://example.org">${p('a')}</draw:a>`,
      'a\n\n[link: https://example.org]',
    ],
    [
      'footnotes and endnotes, numbered',
      p(
        'a<text:note text:note-class="footnote"><text:note-citation>i</text:note-citation><text:note-body><text:p>one</text:p><text:p>more</text:p></text:note-body></text:note> b<text:note text:note-class="endnote"><text:note-body><text:p>two</text:p></text:note-body></text:note>',
      ),
      'a [footnote 1: one\nmore] b [endnote 2: two]',
    ],
    [
      'comments with and without an author, and without their dates',
      p(
        'a<office:annotation><dc:creator> Ann </dc:creator><dc:date>2026-03-31</dc:date><text:p>why?</text:p></office:annotation> b<office:annotation><text:p>so</text:p></office:annotation>',
      ),
      'a [comment by Ann: why?] b [comment: so]',
    ],
    [
      'a comment on a range at its end',
      p(
        'a<office:annotation office:name="n"><text:p>why?</text:p></office:annotation> b<office:annotation-end office:name="n"/> c',
      ) + p('d'),
      'a b [comment: why?] c\n\nd',
    ],
    [
      'a comment on a range that does not end in its paragraph',
      p('a<office:annotation office:name="n"><text:p>why?</text:p></office:annotation> b') +
        p('c<office:annotation-end office:name="n"/>'),
      'a b [comment: why?]\n\nc',
    ],
    [
      'names of pictures apart from the text',
      p('a<draw:frame><svg:title>Map</svg:title><svg:desc>of Oslo</svg:desc></draw:frame>b'),
      'a [picture: of Oslo]b',
    ],
    [
      'a text box with a list as its own',
      p('a') +
        '<draw:text-box><text:list><text:list-item><text:p>b</text:p></text:list-item><text:list-item><text:p>c</text:p></text:list-item></text:list></draw:text-box>',
      'a\n\n- b\n- c',
    ],
  ])('has %s', (_, body, text) => {
    expect(readWriting(body)).toBe(text)
  })

  const style = (name: string, properties: string) =>
    `<style:style style:name="${name}"><style:text-properties ${properties}/></style:style>`

  it.each([
    ['style:text-position="super 58%"', '10^3'],
    ['style:text-position="33% 100%"', '10^3'],
    ['style:text-position="sub 58%"', '10_3'],
    ['style:text-position="-33% 100%"', '10_3'],
    ['style:text-position="0% 100%"', '103'],
    ['style:text-line-through-style="solid"', '10~~3~~'],
    ['style:text-line-through-style="none"', '103'],
    ['fo:font-weight="bold"', '103'],
  ])('marks text with %s', (properties, text) => {
    const body = p(
      '10<text:span text:style-name="T1">3</text:span><text:span text:style-name="T1"> </text:span>',
    )
    expect(readWriting(body, { styles: style('T1', properties) + style('T2', '') })).toBe(text)
  })

  it.each<[what: string, region: string, body: string, text: string]>([
    [
      'deleted',
      '<text:deletion><office:change-info><dc:creator> Bo </dc:creator><dc:date>2026</dc:date></office:change-info><text:p>old</text:p><text:p>lines</text:p></text:deletion>',
      'a<text:change text:change-id="c"/>b',
      'a[deleted by Bo: old\nlines]b',
    ],
    [
      'inserted',
      '<text:insertion><office:change-info><dc:creator>Bo</dc:creator></office:change-info></text:insertion>',
      'a<text:change-start text:change-id="c"/>new<text:change-end text:change-id="c"/>b',
      'a[inserted by Bo: new]b',
    ],
    [
      'inserted by nobody',
      '<text:insertion/>',
      'a<text:change-start text:change-id="c"/>new<text:change-end text:change-id="c"/>b',
      'a[inserted: new]b',
    ],
    [
      'formatted, which is no change of text,',
      '<text:format-change><office:change-info><dc:creator>Bo</dc:creator></office:change-info></text:format-change>',
      'a<text:change-start text:change-id="c"/>bold<text:change-end text:change-id="c"/>b',
      'aboldb',
    ],
    ['changed in a way that is not listed', '', 'a<text:change text:change-id="z"/>b', 'ab'],
  ])('shows what was %s', (_, region, body, text) => {
    const changes = `<text:tracked-changes><text:changed-region text:id="c">${region}</text:changed-region></text:tracked-changes>`
    expect(readWriting(changes + p(body))).toBe(text)
  })

  it('tells the authors of two changes apart, and of a comment after them', () => {
    const change = (id: string, author: string) =>
      `<text:changed-region text:id="${id}"><text:deletion><office:change-info><dc:creator>${author}</dc:creator></office:change-info><text:p>${id}</text:p></text:deletion></text:changed-region>`
    expect(
      readWriting(
        `<text:tracked-changes>${change('x', 'Ann')}${change('y', 'Bo')}</text:tracked-changes>${p('<text:change text:change-id="x"/><text:change text:change-id="y"/><office:annotation><dc:creator>Cy</dc:creator><text:p>z</text:p></office:annotation>')}`,
      ),
    ).toBe('[deleted by Ann: x][deleted by Bo: y] [comment by Cy: z]')
  })
})

it('headings have the numbers of their outline, but those that are none of it', () => {
  const level = (number: number, attributes: string) =>
    `<text:outline-level-style text:level="${number}" ${attributes}/>`
  const styles = `<text:outline-style>${level(1, 'style:num-format="1" style:num-suffix="."')}${level(2, 'style:num-format="1" text:display-levels="2"')}${level(3, 'style:num-format=""')}</text:outline-style>`
  const h = (text: string, number: number, attributes = '') =>
    `<text:h text:outline-level="${number}" ${attributes}>${text}</text:h>`
  const body =
    h('a', 1) +
    h('b', 2) +
    h('c', 2) +
    h('d', 3) +
    h('e', 1) +
    h('f', 1, 'text:is-list-header="true"') +
    h('g', 2) +
    h('h', 1, 'text:restart-numbering="true" text:start-value="7"') +
    h('', 1) +
    h('i', 2)
  expect(readWriting(body, { common: styles }).split(/\n+/)).toEqual([
    '1. a',
    '1.1 b',
    '1.2 c',
    'd',
    '2. e',
    'f',
    '2.1 g',
    '7. h',
    '8.1 i',
  ])
})

it('sections that are hidden are marked', () => {
  const body = `${p('a')}<text:section text:display="none">${p('b')}${p('c')}</text:section><text:section>${p('d')}</text:section>`
  expect(read('text', body)).toMatchObject({
    text: 'a\n\n[hidden: b]\n\n[hidden: c]\n\nd',
    hidden: 2,
  })
})

describe('lists', () => {
  const level = (number: number, attributes: string) =>
    `<text:list-level-style-number text:level="${number}" ${attributes}/>`
  const styles = `<text:list-style style:name="L">${level(1, 'style:num-format="1" style:num-suffix="."')}${level(2, 'style:num-format="a" style:num-prefix="(" style:num-suffix=")"')}</text:list-style><text:list-style style:name="R">${level(1, 'style:num-format="i"')}</text:list-style><text:list-style style:name="S">${level(1, 'style:num-format="I"')}</text:list-style><text:list-style style:name="M">${level(1, 'style:num-format="A" text:start-value="26"')}${level(2, 'style:num-format=""')}</text:list-style><text:list-style style:name="N">${level(1, 'style:num-format="1"')}${level(2, 'style:num-format="A" text:display-levels="2"')}${level(3, 'style:num-format="i" text:display-levels="3" loext:num-list-format="(%1%-%2%) %3%"')}</text:list-style>`
  const list = (content: string, attributes = 'text:style-name="L"') =>
    `<text:list ${attributes}>${content}</text:list>`
  const item = (content: string, attributes = '') =>
    `<text:list-item ${attributes}>${content}</text:list-item>`

  it.each<[what: string, body: string, text: string]>([
    [
      'their numbers, by level, and begin again within the next item',
      list(item(p('a') + list(item(p('b')) + item(p('c')), '')) + item(p('d') + list(item(p('e')), ''))),
      '1. a\n  (a) b\n  (b) c\n2. d\n  (a) e',
    ],
    [
      'no number for further paragraphs of an item',
      list(item(p('a') + p('b')) + item(p('c'))),
      '1. a\n  b\n2. c',
    ],
    ['no number for an empty item', list(item(p('a')) + item(p('')) + item(p('c'))), '1. a\n3. c'],
    [
      'a number where an item says so',
      list(item(p('a'), 'text:start-value="5"') + item(p('b'))),
      '5. a\n6. b',
    ],
    [
      'a heading without a number',
      list(`<text:list-header>${p('h')}</text:list-header>${item(p('a'))}`),
      '  h\n1. a',
    ],
    [
      'a start of their style, letters, and no number if the format has none',
      list(item(p('z')) + item(p('no letter') + list(item(p('dot')), '')), 'text:style-name="M"'),
      'Z z\nAA no letter\n  - dot',
    ],
    [
      'numbers that items name, whatever the start of their style',
      list(
        item(p('a'), 'text:start-value="28"') + item(p('b')) + item(p('c'), 'text:start-value="28"'),
        'text:style-name="M"',
      ),
      'BB a\nCC b\nBB c',
    ],
    [
      'a number again if an item names the same as the one before',
      list(item(p('a')) + item(p('b'), 'text:start-value="1"')),
      '1. a\n1. b',
    ],
    [
      'the numbers of the levels above, and what else their text has',
      list(
        item(p('a') + list(item(p('b') + list(item(p('c')) + item(p('d')), '')), '')) +
          item(p('e') + list(item(p('f')), '')),
        'text:style-name="N"',
      ),
      '1 a\n  1.A b\n    (1-A) i c\n    (1-A) ii d\n2 e\n  2.A f',
    ],
    [
      'Roman numbers',
      list(item(p('a'), 'text:start-value="4"'), 'text:style-name="R"') +
        list(item(p('b'), 'text:start-value="9"'), 'text:style-name="S"'),
      'iv a\nIX b',
    ],
    [
      'text boxes that are no items',
      list(item(p('a<draw:text-box><text:p>box</text:p></draw:text-box>') + p('b'))),
      'box\n\n1. a\n  b',
    ],
    ['dots if their style is not known', list(item(p('a')), 'text:style-name="?"'), '- a'],
    ['a blank line before and after', p('x') + list(item(p('a'))) + p('y'), 'x\n\n1. a\n\ny'],
    ['a new count for another list', list(item(p('a'))) + list(item(p('b'))), '1. a\n1. b'],
    [
      'a count that goes on',
      list(item(p('a'))) + p('x') + list(item(p('b')), 'text:style-name="L" text:continue-numbering="true"'),
      '1. a\n\nx\n\n2. b',
    ],
    [
      'a count that goes on from nothing',
      list(item(p('a')), 'text:style-name="L" text:continue-numbering="true"'),
      '1. a',
    ],
    [
      'a count that goes on from a certain list',
      list(item(p('a')) + item(p('b')), 'xml:id="one" text:style-name="L"') +
        list(item(p('c'))) +
        list(item(p('d')), 'text:style-name="L" text:continue-list="one"'),
      '1. a\n2. b\n1. c\n3. d',
    ],
    [
      'tables whose cells have no numbers',
      list(
        item(
          `<table:table><table:table-row><table:table-cell>${p('x')}</table:table-cell><table:table-cell>${p('y')}</table:table-cell></table:table-row></table:table>${p('a')}`,
        ),
      ),
      'x\ty\n\n1. a',
    ],
  ])('have %s', (_, body, text) => {
    expect(readWriting(body, { styles })).toBe(text)
  })
})

describe('headers and footers', () => {
  const master = (content: string) =>
    `<office:master-styles><style:master-page>${content}</style:master-page></office:master-styles>`

  it.each<[what: string, content: string, text: string]>([
    [
      'headers',
      `<style:header>${p('ACME Ltd')}${p('Oslo')}</style:header>`,
      'a\n\nPage header: ACME Ltd\nOslo',
    ],
    [
      'those of other pages, each once',
      `<style:header>${p('ACME Ltd')}</style:header><style:header-left>${p('ACME left')}</style:header-left><style:header-first>${p('Big ACME')}</style:header-first><style:header>${p('ACME Ltd')}</style:header><style:footer>${p('Draft 1')}</style:footer><style:footer-left>${p('Draft 2')}</style:footer-left><style:footer-first>${p('Draft 3')}</style:footer-first>`,
      'a\n\nPage header: ACME Ltd\n\nPage header: ACME left\n\nPage header: Big ACME\n\nPage footer: Draft 1\n\nPage footer: Draft 2\n\nPage footer: Draft 3',
    ],
    [
      'none with a word and numbers of pages only',
      `<style:header>${p('Page <text:page-number>1</text:page-number>')}</style:header><style:footer>${p('<text:page-number>1</text:page-number>/<text:page-count>1</text:page-count>')}</style:footer>`,
      'a',
    ],
    ['none that is empty', '<style:header/>', 'a'],
  ])('%s are read after the text', (_, content, text) => {
    expect(readWriting(p('a'), { common: master(content) })).toBe(text)
  })

  it('have pictures that count, and master pages have those that do not', () => {
    const image = '<draw:frame><draw:image/></draw:frame>'
    const { text, omitted } = read('text', '', {
      common: master(`${image}<style:header>${p(`ACME Ltd${image}`)}</style:header>`),
    })
    expect([text, omitted]).toEqual(['Page header: ACME Ltd', pictures(1)])
  })
})

describe('what is not read is counted:', () => {
  it.each<[what: string, body: string, omitted: Omission[]]>([
    ['pictures', '<draw:frame><draw:image/></draw:frame><draw:frame><draw:image/></draw:frame>', pictures(2)],
    [
      'an object, and not its preview',
      '<draw:frame><draw:object/><draw:image/></draw:frame>',
      [{ what: 'embedded', count: 1 }],
    ],
    [
      'an object of another program',
      '<draw:frame><draw:object-ole/><draw:image/></draw:frame>',
      [{ what: 'embedded', count: 1 }],
    ],
    [
      'a film, and not its preview',
      '<draw:frame><draw:plugin/><draw:image/></draw:frame>',
      [{ what: 'media', count: 1 }],
    ],
    [
      'a picture after an object',
      '<draw:frame><draw:object/></draw:frame><draw:frame><draw:image/></draw:frame>',
      [{ what: 'embedded', count: 1 }, ...pictures(1)],
    ],
    ['nothing', '', []],
  ])('%s', (_, body, omitted) => {
    expect(read('text', p(`a${body}`))).toEqual({
      text: 'a',
      length: 1,
      ...(omitted.length > 0 && { omitted }),
    })
  })

  it('macros', () => {
    expect(read('text', p('a'), { others: { 'Basic/Standard/Module1.xml': '<a/>' } }).omitted).toEqual([
      { what: 'macros', count: 1 },
    ])
  })
})

const cell = (text: string, attributes = '') =>
  `<table:table-cell ${attributes}>${text && p(text)}</table:table-cell>`
const row = (cells: string, attributes = '') => `<table:table-row ${attributes}>${cells}</table:table-row>`
const table = (rows: string, attributes = '') => `<table:table ${attributes}>${rows}</table:table>`

describe('a table in a text', () => {
  it.each<[what: string, content: string, text: string]>([
    [
      'empty cells, at its end too',
      table(
        row(cell('a') + cell('') + cell('b')) +
          row(cell('c') + cell('', 'table:number-columns-repeated="2"')),
      ),
      'a\t\tb\nc\t\t',
    ],
    [
      'empty rows',
      table(row(cell('a') + cell('b')) + row(cell('') + cell('')) + row(cell('c') + cell('d'))),
      'a\tb\n\t\nc\td',
    ],
    [
      'lines within cells',
      table(row(`<table:table-cell>${p('a')}${p('b')}</table:table-cell>${cell('c')}`)),
      'a<br>b\tc',
    ],
    [
      'merged cells once',
      table(
        row(`${cell('a')}<table:covered-table-cell>${p('hidden')}</table:covered-table-cell>${cell('b')}`),
      ),
      'a\t\tb',
    ],
    [
      'tables within cells',
      table(
        row(
          `<table:table-cell>${table(row(cell('x') + cell('y')) + row(cell('z') + cell('')))}</table:table-cell>${cell('b')}`,
        ),
      ),
      'x | y<br>z |\tb',
    ],
    [
      'rows and cells that repeat',
      table(row(cell('a', 'table:number-columns-repeated="2"'), 'table:number-rows-repeated="2"')),
      'a\ta\na\ta',
    ],
    [
      'comments on cells',
      table(
        row(
          cell('a') +
            '<table:table-cell><office:annotation><text:p>why?</text:p></office:annotation></table:table-cell>',
        ),
      ),
      'a\t[comment: why?]',
    ],
  ])('has %s', (_, content, text) => {
    expect(readWriting(p('before') + content + p('after'))).toBe(`before\n\n${text}\n\nafter`)
  })

  it('is left out if all of it is empty', () => {
    expect(readWriting(p('a') + table(row(cell('') + cell('')) + row(cell('') + cell(''))) + p('b'))).toBe(
      'a\n\nb',
    )
  })

  it('has a preview that is no picture', () => {
    expect(
      read(
        'presentation',
        `<draw:page><draw:frame>${table(row(cell('a')))}<draw:image/></draw:frame></draw:page>`,
      ),
    ).toMatchObject({ text: 'Slide 1\na' })
  })
})

describe('a spreadsheet', () => {
  const readRows = (rows: string) => {
    const { text } = read('spreadsheet', table(rows, 'table:name="S"'))
    return text.replace('Sheet: S\n', '').replace(/\n$/, '').split('\n')
  }
  const value = (attributes: string, text = '') => row(cell(text, attributes))

  it.each<[what: string, rows: string, lines: string[]]>([
    ['what its cells show', value('office:value="0.175"', '17.5 %'), ['17.5 %']],
    ['values that are not shown', value('office:value="0.175"'), ['0.175']],
    ['formulas without a value', value('table:formula="of:=SUM([.A1:.B1])"'), ['=SUM([.A1:.B1])']],
    ['values of formulas', value('table:formula="of:=1+1" office:value="2"'), ['2']],
    ['dates in one form', value('office:date-value="2026-03-31"', '31/3/26'), ['2026-03-31']],
    ['dates without their midnight', value('office:date-value="2026-03-31T00:00:00.000"'), ['2026-03-31']],
    ['times', value('office:date-value="2026-03-31T18:30:00"'), ['2026-03-31 18:30:00']],
    ['several lines in a cell', row(`<table:table-cell>${p('a')}${p('b')}</table:table-cell>`), ['a<br>b']],
    [
      'comments after what they are on',
      row(
        `<table:table-cell><office:annotation>${p('why?')}</office:annotation>${p('5')}</table:table-cell>`,
      ),
      ['5 [comment: why?]'],
    ],
    [
      'blank rows as one line, and none before the first and after the last',
      row('', 'table:number-rows-repeated="3"') +
        row(cell('a')) +
        row(cell('')) +
        row('', 'table:number-rows-repeated="9"') +
        row(cell('b')) +
        row('', 'table:number-rows-repeated="1048000"'),
      ['a', '', 'b'],
    ],
    [
      'a gap of 200 cells',
      row(cell('a') + cell('', 'table:number-columns-repeated="200"') + cell('b')),
      [`a${'\t'.repeat(201)}b`],
    ],
    [
      'a wider gap as its width',
      row(cell('a') + cell('', 'table:number-columns-repeated="201"') + cell('b')),
      ['a\t(201 empty cells)\tb'],
    ],
    ['no empty cells at the end', row(cell('a') + cell('', 'table:number-columns-repeated="16000"')), ['a']],
    [
      'equal cells up to 200',
      row(cell('a', 'table:number-columns-repeated="201"')),
      [Array<string>(200).fill('a').join('\t')],
    ],
    [
      'rows as wide as the widest before',
      row(cell('a', 'table:number-columns-repeated="3"')) + row(cell('b')),
      ['a\ta\ta', 'b\t\t'],
    ],
    [
      'rows that are padded to 50 cells at most',
      row(cell('a', 'table:number-columns-repeated="60"')) + row(cell('b')),
      [Array<string>(60).fill('a').join('\t'), `b${'\t'.repeat(49)}`],
    ],
    [
      'repetitions of no number as one',
      row(cell('a', 'table:number-columns-repeated="x"'), 'table:number-rows-repeated="-2"'),
      ['a'],
    ],
  ])('has %s', (_, rows, lines) => {
    expect(readRows(rows)).toEqual(lines)
  })

  it('has the text of shapes after its sheets', () => {
    const shapes = `<table:shapes><draw:custom-shape>${p('shape')}</draw:custom-shape><draw:frame><draw:text-box>${p('box')}</draw:text-box></draw:frame></table:shapes>`
    const { text } = read('spreadsheet', table(shapes + row(cell('a')), 'table:name="S"'))
    expect(text).toBe('Sheet: S\na\n\nshape\n\nbox')
  })

  it('has equal rows up to a thousand, and counts the others', () => {
    const rows = (count: number) =>
      table(row(cell('a'), `table:number-rows-repeated="${count}"`), 'table:name="S"')
    expect(read('spreadsheet', rows(1_000))).toMatchObject({ length: 9 + 2_000 })
    expect(read('spreadsheet', rows(1_002))).toMatchObject({
      length: 9 + 2_000,
      omitted: [{ what: 'rows', count: 2 }],
    })
    expect(read('spreadsheet', rows(9_000_000)).omitted).toEqual([{ what: 'rows', count: 1_047_576 }])
  })

  it('has its sheets by name, and none that are empty', () => {
    const styles =
      '<style:style style:name="ta1"><style:table-properties table:display="true"/></style:style><style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>'
    const body =
      table(row(cell('a')), 'table:name="One" table:style-name="ta1"') +
      table(row(cell('')), 'table:name="Empty"') +
      table(row(cell('b')), 'table:name="Two" table:style-name="ta2"')
    expect(read('spreadsheet', body, { styles }).text).toBe('Sheet: One\na\n\nSheet: Two (hidden)\nb\n')
  })
})

describe('a presentation', () => {
  it('has its slides, which are hidden or not, with notes and comments', () => {
    const styles =
      '<style:style style:name="dp1"><style:drawing-page-properties presentation:visibility="visible"/></style:style><style:style style:name="dp2"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>'
    const box = (text: string, attributes = '') =>
      `<draw:frame ${attributes}><draw:text-box>${p(text)}</draw:text-box></draw:frame>`
    const slides = [
      `<draw:page draw:style-name="dp1">${box('Plan')}${box('for May')}${box('<text:page-number>1</text:page-number>')}<office:annotation><dc:creator>Ann</dc:creator>${p('why?')}</office:annotation><presentation:notes>${box('12', 'presentation:class="page-number"')}${box('Say hello')}${box('and smile')}</presentation:notes></draw:page>`,
      '<draw:page><presentation:notes/></draw:page>',
      `<draw:page draw:style-name="dp2">${box('Later')}</draw:page>`,
    ]
    expect(read('presentation', slides.join(''), { styles }).text).toBe(
      'Slide 1\nPlan\nfor May\n[page]\nSpeaker notes: Say hello\nand smile\n[comment by Ann: why?]\n\nSlide 3 (hidden)\nLater',
    )
  })
})

describe('other files', () => {
  it.each(['graphics', 'chart', 'formula'])('of the type %s are not read as one of these', (kind) => {
    expect(() => read(kind, p('a'))).toThrow(expect.objectContaining({ problem: 'unreadable' }))
  })

  it('without content, or with damaged content, cannot be read', () => {
    const mimetype = strToU8('application/vnd.oasis.opendocument.text')
    for (const parts of [
      { mimetype },
      { mimetype, 'content.xml': strToU8('<a') },
      { 'content.xml': strToU8('<a/>') },
    ])
      expect(() => readOpenDocument(zipSync(parts))).toThrow(
        expect.objectContaining({ problem: 'unreadable' }),
      )
  })

  it('with a password are refused as such', () => {
    const entry = (path: string, content: string) =>
      `<manifest:file-entry manifest:full-path="${path}" manifest:size="9">${content}</manifest:file-entry>`
    const manifest = (content: string) =>
      strToU8(`<manifest:manifest>${entry('content.xml', content)}</manifest:manifest>`)
    const bytes = (content: string) =>
      zipSync({
        mimetype: strToU8('application/vnd.oasis.opendocument.text'),
        'content.xml': Uint8Array.of(1, 2, 3),
        'META-INF/manifest.xml': manifest(content),
      })
    const encrypted = '<manifest:encryption-data><manifest:algorithm/></manifest:encryption-data>'
    expect(() => readOpenDocument(bytes(encrypted))).toThrow(
      expect.objectContaining({ problem: 'encrypted' }),
    )
    expect(() => readOpenDocument(bytes(''))).toThrow(expect.objectContaining({ problem: 'unreadable' }))
    // as programs write it since OpenDocument 1.4
    const whole = zipSync({
      mimetype: strToU8('application/vnd.oasis.opendocument.text'),
      'encrypted-package': Uint8Array.of(1, 2, 3),
      'META-INF/manifest.xml': strToU8(
        `<manifest:manifest>${entry('encrypted-package', encrypted)}</manifest:manifest>`,
      ),
    })
    expect(() => readOpenDocument(whole)).toThrow(expect.objectContaining({ problem: 'encrypted' }))
  })

  it('that are templates are read, whatever their styles', () => {
    const bytes = zipSync({
      mimetype: strToU8('application/vnd.oasis.opendocument.text-template'),
      'content.xml': strToU8(`<a><office:text>${p('a')}</office:text></a>`),
    })
    expect(readOpenDocument(bytes).text).toBe('a')
  })
})

describe('marks, hidden parts, alternative texts and addresses', () => {
  const style = (name: string, properties: string, parent = '') =>
    `<style:style style:name="${name}" style:parent-style-name="${parent}">${properties && `<style:text-properties ${properties}/>`}</style:style>`
  const styles = [
    style('struck', 'style:text-line-through-style="solid"'),
    style('child', '', 'struck'),
    style('undone', 'style:text-line-through-style="none"', 'struck'),
    style('raised', 'style:text-position="super 58%"'),
    style('secret', 'text:display="none"'),
  ].join('')
  const span = (name: string) => `<text:span text:style-name="${name}">a</text:span>`

  it.each<[what: string, body: string, text: string]>([
    ['inherited marks', p(`${span('child')} ${span('undone')}`), '~~a~~ a'],
    ['marks of paragraphs', '<text:p text:style-name="struck">old</text:p>', '~~old~~'],
    ['hidden text', p(`b ${span('secret')}`), 'b [hidden: a]'],
    ['hidden fields', p('<text:hidden-text text:is-hidden="true">x</text:hidden-text>'), '[hidden: x]'],
    [
      'hidden fields that are empty',
      p('<text:hidden-text text:string-value="Draft 7" text:is-hidden="true"/>'),
      '[hidden: Draft 7]',
    ],
    [
      'a shape that is a link',
      '<draw:a xlink:href="https://x.test"><draw:frame/></draw:a>',
      '[link: https://x.test]',
    ],
  ])('a text has %s', (_, body, text) => {
    expect(readWriting(body, { styles })).toBe(text)
  })

  it('a sheet has marks of cells, and says which rows and columns are hidden', () => {
    const cell = (text: string, attributes = '') =>
      `<table:table-cell ${attributes}>${p(text)}</table:table-cell>`
    const sheet = `<table:table table:name="S"><table:table-column/><table:table-column table:visibility="collapse"/><table:table-row>${cell('Sum', 'table:style-name="struck"')}${cell('Cost')}</table:table-row><table:table-row table:visibility="filter">${cell('1')}${cell('2')}</table:table-row></table:table>`
    expect(read('spreadsheet', sheet, { styles })).toMatchObject({
      text: 'Sheet: S\n~~Sum~~\tCost [hidden column]\n1\t2\t[hidden row]\n',
      hidden: 2,
    })
  })

  it.each([
    ['text', p('one') + p('two'), 'one'],
    [
      'spreadsheet',
      `<table:table table:name="S">${'<table:table-row><table:table-cell><text:p>1</text:p></table:table-cell></table:table-row>'.repeat(2)}</table:table>`,
      'Sheet: S\n1\n',
    ],
  ])('a %s hands over what was read in time', (kind, body, text) => {
    expect(readInNoTime(() => read(kind, body))).toBe(text)
  })
})

describe('an object', () => {
  const chart = (table: string) =>
    `<office:document-content><office:body><office:chart><chart:chart><chart:title><text:p>Units <text:span>sold</text:span></text:p></chart:title><chart:plot-area><chart:axis><chart:title><text:p>Year</text:p></chart:title></chart:axis></chart:plot-area><table:table>${table}</table:table></chart:chart></office:chart></office:body></office:document-content>`
  const cell = (text: string) => `<table:table-cell>${p(text)}</table:table-cell>`
  const frame = (href: string) => `<draw:frame><draw:object xlink:href="${href}"/><draw:image/></draw:frame>`
  const values = `<table:table-row>${cell('')}${cell('Units')}</table:table-row><table:table-row>${cell('2025')}<table:table-cell office:value="523"/></table:table-row><table:table-row>${cell('2026')}${cell('1.#NAN')}</table:table-row>`

  it.each<[what: string, body: string, objects: Record<string, string>, text: string]>([
    [
      'that is a chart has its title and its values',
      p(`See ${frame('./Object 1')}`),
      { 'Object 1/content.xml': chart(values) },
      'See\n\n[chart: Units sold]\n\tUnits\n2025\t523\n2026\t',
    ],
    [
      'that is a formula stands in its line, as it was typed',
      p(`With ${frame('Object 2/')}.`),
      {
        'Object 2/content.xml':
          '<math><semantics><mrow><mi>E</mi></mrow><annotation encoding="StarMath 5.0">E = m c^2</annotation></semantics></math>',
      },
      'With E = m c^2.',
    ],
    [
      'that is a formula of another program has its letters',
      p(frame('F')),
      { 'F/content.xml': '<mml:math><mml:mi>a</mml:mi><mml:mo>+</mml:mo> <mml:mn>1</mml:mn></mml:math>' },
      'a + 1',
    ],
    [
      'that is a sheet has its rows',
      p(frame('./S')),
      {
        'S/content.xml': `<office:document-content><office:body><office:spreadsheet><table:table table:name="A"><table:table-row>${cell('x')}${cell('7')}</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>`,
      },
      '[embedded document]\nSheet: A\nx\t7',
    ],
  ])('%s', (_, body, others, text) => {
    expect(read('text', body, { others })).toEqual({ text, length: text.length })
  })

  it('of a sheet stands below its rows', () => {
    const body = `<table:table table:name="A"><table:shapes>${frame('./C')}</table:shapes><table:table-row>${cell('x')}</table:table-row></table:table>`
    const { text } = read('spreadsheet', body, { others: { 'C/content.xml': chart(values) } })
    expect(text).toBe('Sheet: A\nx\n\n[chart: Units sold]\n\tUnits\n2025\t523\n2026\t\n')
  })

  it.each([
    ['is missing', {}],
    ['is damaged', { 'O/content.xml': '<math' }],
    ['is something else', { 'O/content.xml': '<office:document-content/>' }],
    [
      'contains itself',
      {
        'O/content.xml': `<office:document-content><office:body><office:text>${p(frame('../O'))}</office:text></office:body></office:document-content>`,
      },
    ],
  ])('that %s counts as not read', (_, others) => {
    expect(read('text', p(`a${frame('./O')}`), { others })).toMatchObject({
      text: 'a',
      omitted: [{ what: 'embedded' }],
    })
  })
})

it('the texts of a slide come in the order in which they stand, titles first, notes last', () => {
  const box = (attributes: string, text: string) =>
    `<draw:frame ${attributes}><draw:text-box>${p(text)}</draw:text-box></draw:frame>`
  const notes = `<presentation:notes>${box('svg:x="1cm" svg:y="0cm"', 'Note')}</presentation:notes>`
  const { text } = read(
    'presentation',
    `<draw:page>${notes}${box('svg:x="1cm" svg:y="90mm" svg:height="2cm"', 'third')}<draw:g>${box('svg:x="1in" svg:y="2in"', 'second')}</draw:g>${box('svg:x="12cm" svg:y="2.2cm" svg:height="2cm"', 'beside')}${box('svg:x="1cm" svg:y="2cm" svg:height="2cm"', 'first')}${box('draw:transform="rotate (0.5) translate (1cm 20cm)"', 'last')}${box('', 'behind it')}${box('presentation:class="title" svg:x="1cm" svg:y="30cm"', 'Title')}</draw:page>`,
  )
  expect(text).toBe('Slide 1\nTitle\nfirst\nbeside\nsecond\nthird\nlast\nbehind it\nSpeaker notes: Note')
})

it.each([
  ['office:value-type="boolean" office:boolean-value="true"', 'TRUE'],
  ['office:value-type="time" office:time-value="PT1H30M00S"', '1:30:00'],
  ['office:value-type="percentage" office:value="0.07"', '7%'],
  ['office:value-type="string" office:string-value="Oslo"', 'Oslo'],
])('a cell without a text shows its value: %s', (attributes, shown) => {
  const row = `<table:table-row><table:table-cell ${attributes}/></table:table-row>`
  expect(read('spreadsheet', `<table:table table:name="A">${row}</table:table>`).text).toBe(
    `Sheet: A\n${shown}\n`,
  )
})

it.each([
  // LibreOffice writes a day and a time so, if its format has the time alone
  ['PT1109544H30M00S', '12:30 AM', '12:30 AM (2026-07-28 00:30:00)'],
  ['PT1109544H00M00S', '00:00', '00:00 (2026-07-28)'],
  ['PT30H00M00S', '6:00', '6:00 (30:00:00)'],
  ['PT12H05M00S', '05:00', '05:00 (12:05:00)'],
  ['PT30H00M00S', '30:00', '30:00'],
  ['-PT30H00M00S', '-30:00:00', '-30:00:00'],
  ['PT18H00M00S', '6:00 PM', '6:00 PM'],
  ['PT00H00M00S', '12:00 AM', '12:00 AM'],
  ['PT01H12M00S', '72:00', '72:00'],
  ['PT23H59M59.9S', '24:00', '24:00'],
])('a cell shows the part of a time that its format hides: %s as %s', (value, written, shown) => {
  const cell = `<table:table-cell office:value-type="time" office:time-value="${value}">${p(written)}</table:table-cell>`
  expect(
    read(
      'spreadsheet',
      `<table:table table:name="A"><table:table-row>${cell}</table:table-row></table:table>`,
    ).text,
  ).toBe(`Sheet: A\n${shown}\n`)
})
