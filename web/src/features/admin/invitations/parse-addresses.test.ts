import { expect, it } from 'vitest'
import { formatAddresses, parseAddresses } from './parse-addresses.ts'

it.each([
  ['', []],
  ['ann@a.example\r\n\r\n bo@a.example \n', ['1 ann@a.example', '3 bo@a.example']],
  ['\uFEFFName;E-mail\nAnn;ann@a.example\n"Bo, B.";"bo@a.example"', ['2 ann@a.example', '3 bo@a.example']],
  ['name\temail\nAnn\tann@a.example', ['2 ann@a.example']],
  ['Ann <ann@a.example>\nnobody', ['1 ann@a.example', '2 nobody']],
  ['nobody', ['1 nobody']],
  // as mail programs copy them
  ['ann@a.example, bo@a.example;cy@a.example', ['1 ann@a.example', '1 bo@a.example', '1 cy@a.example']],
  [
    '"Doe, Ann" <ann@a.example>, Roe, Bo <bo@a.example>\nCy <cy@a.example>',
    ['1 ann@a.example', '1 bo@a.example', '2 cy@a.example'],
  ],
  ['Address\nann@a.example, bo@a.example', ['2 ann@a.example', '2 bo@a.example']],
  ['ann@a.example, nobody', ['1 ann@a.example']],
  // a table has one address in each row
  ['E-mail,Manager\nann@a.example,boss@a.example', ['2 ann@a.example']],
  ['Handle,E-mail\n@ann,ann@a.example\nBo @ work,bo@a.example', ['2 ann@a.example', '3 bo@a.example']],
  [
    'Name,E-mail\nAnn,ann@a.example\nBo,bo-at-a.example\nCy,',
    ['2 ann@a.example', '3 bo-at-a.example', '4 Cy'],
  ],
])('reads the addresses of %j', (text, expected) => {
  expect(parseAddresses(text).map(({ line, email }) => `${line} ${email}`)).toEqual(expected)
})

it.each([
  [
    'in any order and letter case',
    'GROUPS,Name,E-Mail\nSales EMEA,Ann,ann@a.example',
    ['ann@a.example: Sales EMEA'],
  ],
  ['with semicolons', 'email;Gruppe\r\nann@a.example;sales, staff\r\n', ['ann@a.example: sales|staff']],
  [
    'with commas and quotes',
    '\uFEFFemail,"groups"\nann@a.example,"sales, staff"',
    ['ann@a.example: sales|staff'],
  ],
  ['with commas and semicolons', 'email,groups\nann@a.example,sales;staff', ['ann@a.example: sales|staff']],
  ['with tabs', 'Groupes\temail\nsales ; staff\tann@a.example', ['ann@a.example: sales|staff']],
  [
    'without quotes around several',
    'email,groups\nann@a.example,sales,staff',
    ['ann@a.example: sales|staff'],
  ],
  ['of several columns', 'Group 1,email,Group 2\nsales,ann@a.example,staff', ['ann@a.example: sales|staff']],
  [
    'that is empty for some',
    'email,groups\nann@a.example\n\nbo@a.example,\nnobody,sales',
    ['ann@a.example: ', 'bo@a.example: ', 'nobody: sales'],
  ],
  [
    'beside an address that is wrong',
    'Name,email,groups\nAnn,ann@a.example,sales\nBo,bo-at-a.example,sales',
    ['ann@a.example: sales', 'bo-at-a.example: sales'],
  ],
  ['named twice', 'email,groups\nann@a.example,"sales;sales;;  sales "', ['ann@a.example: sales']],
  ['that Excel writes', 'sep=;\nemail;groups\nann@a.example;sales', ['ann@a.example: sales']],
  ['only in a row', 'ann@a.example,groups', ['ann@a.example: ']],
])('reads a column of groups %s', (_how, text, expected) => {
  const found = parseAddresses(text)
  expect(found.map(({ email, groups }) => `${email}: ${groups.join('|')}`)).toEqual(expected)
  // what was wrong is put back into the field
  expect(parseAddresses(formatAddresses(found))).toMatchObject(
    found.map(({ email, groups }) => ({ email, groups })),
  )
})

it('reads a long line in time in proportion', () => {
  expect(parseAddresses(`${'"<@'.repeat(100_000)} ann@a.example`)).toHaveLength(1)
})

it('reads again the whole list that it has written, also if its first line is no address', () => {
  for (const emails of [
    ['Ann'],
    ['Ann', 'bo@x.example'],
    ['Ann', 'Bo', 'cy@x.example'],
    ['bo@x.example', 'Ann'],
  ])
    expect(
      parseAddresses(formatAddresses(emails.map((email) => ({ email, groups: [] })))).map(
        ({ email }) => email,
      ),
    ).toEqual(emails)
})
