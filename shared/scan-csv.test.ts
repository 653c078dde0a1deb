import { expect, it } from 'vitest'
import { limitCpuTime } from '../test/support/fuzz.ts'
import { detectForm, scanCsv } from './scan-csv.ts'

function readRows(text: string): string[][] {
  return [...scanCsv(text, detectForm(text))].map(({ cells }) => cells)
}

it.each([
  [
    'separators in quoted headings',
    '"Name, first";"Town, land";Age\n"Ann";"Oslo";7',
    0,
    ['Name, first', 'Town, land', 'Age'],
  ],
  ['a line that names the separator', 'sep=;\nName;Age\nAnn;7', 0, ['Name', 'Age']],
  ['the same in quotes, with a mark of the byte order', '\ufeff"sep=|"\r\na|b', 0, ['a', 'b']],
  ['tabs beside commas', 'a\tb\n1,5\t2', 1, ['1,5', '2']],
  ['prices with commas', 'amount;label\n1,50;coffee\n2,50;tea', 1, ['1,50', 'coffee']],
  ['times with colons', 'Duration;Phase\n6:30;First\n1:00;Wash', 1, ['6:30', 'First']],
  [
    'a comma in each date, and rows without their last separator',
    ['15', '14', '13'].map((day) => `April ${day}, 2023;402;25.00;4.00;Ray;pending;`).join('\n') +
      '\nApril 9, 2023;678;25.00;4.00;Lonny;\nApril 8, 2023;638;25.00;4.00;Rosa;',
    4,
    ['April 8, 2023', '638', '25.00', '4.00', 'Rosa', ''],
  ],
  ['doubled quotes and a line end in a cell', '"say ""hi""","two\nlines"\n,', 0, ['say "hi"', 'two\nlines']],
  ['quotes behind spaces', 'Name, Place\n"Ann", "Oslo, Norway" \n"Ben", "a" b', 1, ['Ann', 'Oslo, Norway']],
  ['a quote within a cell', 'a, "b" c', 0, ['a', ' "b" c']],
  ['a quote that is never closed', '"open,b\n1,2', 1, ['1', '2']],
  ['a quote that is never closed, before one that is', 'a,b\n"open,1\n"x",2', 2, ['x', '2']],
  ['cells between single quotes', "id,name\n1,'Doe, John'\n2,'O''Hara, Ed'", 2, ['2', "O'Hara, Ed"]],
  ['apostrophes', "name,n\n'tis,1\nO'Hara,2\n'em, too',3", 1, ["'tis", '1']],
  ['quotes within a cell of several lines', 'a,b\n"so\nsaid "he" there",1', 1, ['so\nsaid "he" there', '1']],
  ['quotes within a cell', '"Maze, "a" park",1\n""Mann" und Frau",2', 0, ['Maze, "a" park', '1']],
  [
    'a quote at the beginning of a cell',
    '"Maze, "a" park",1\n""Mann" und Frau",2',
    1,
    ['"Mann" und Frau', '2'],
  ],
  [
    'quotes around a separator within a cell',
    'a,b\n"she said "yes, now" (twice)",1',
    1,
    ['she said "yes, now" (twice)', '1'],
  ],
  ['quotes at the end of a cell', 'a,b\n"she said, "yes"",1', 1, ['she said, "yes"', '1']],
  ['one quote within a cell', 'a,b\n"a 5 ("inch) pipe",1', 1, ['a 5 ("inch) pipe', '1']],
  ['an empty cell with text behind its quotes', 'a,b,c\n""x,y,"z"', 1, ['x', 'y', 'z']],
  ['quotes side by side', 'a,b\n"Smith" "Jones",1', 1, ['Smith "Jones"', '1']],
  [
    'quotes behind backslashes, and a line end',
    String.raw`"{(2fa,`.concat('\n', String.raw`\"Apple Watch\")}","say \"hi\"","a \"b\", c",d`),
    0,
    ['{(2fa,\n"Apple Watch")}', 'say "hi"', 'a "b", c', 'd'],
  ],
  ['a folder that ends with a backslash', String.raw`"C:\dir\",x`, 0, ['C:\\dir\\', 'x']],
  ['a doubled quote behind a backslash', String.raw`"a \""b"" c",x`, 0, [String.raw`a \"b" c`, 'x']],
  ['an escaped backslash before the end', String.raw`"say \"hi\" \\",x`, 0, ['say "hi" \\', 'x']],
  ['text behind a closing quote', '"a"b,c', 0, ['ab', 'c']],
  ['quotes behind backslashes', 'a,b\n"say \\"hi, you\\"",1\n"2\\" \\\\",3', 1, ['say "hi, you"', '1']],
  ['a backslash behind a backslash', 'a,b\n"say \\"hi\\"",1\n"2\\" \\\\",3', 2, ['2" \\', '3']],
  ['JSON behind backslashes', 'id,j\n1,"{\\"a\\":1,\\"b\\":[2]}"', 1, ['1', '{"a":1,"b":[2]}']],
  ['inches at the end of a cell', 'size,n\n"5\\"",1\n"6\\"",2', 1, ['5"', '1']],
  ['a folder that ends with a backslash', 'path,n\n"C:\\dir\\",1\n"D:\\",2', 1, ['C:\\dir\\', '1']],
  ['a doubled quote behind a backslash', 'path,n\n"C:\\""x""",1', 1, ['C:\\"x"', '1']],
  ['tabs beside as many commas', 'Ann, A\t1,5\nBen, B\t2,5', 0, ['Ann, A', '1,5']],
  ['semicolons beside decimal commas, without a header', '1,5;2,5\n3,5;4,5', 1, ['3,5', '4,5']],
  ['a list between commas, without a header', 'x,a;b\ny,c;d', 1, ['y', 'c;d']],
])('reads %s', (_, text, row, cells) => {
  expect(readRows(text)[row]).toEqual(cells)
})

it.each(['"a "b', '"a "b"c', '""x', '" "x,', '"a "b,"'])('takes linear time for many of %s', (piece) => {
  expect(limitCpuTime(() => readRows(piece.repeat(50_000)), 2_000).length).toBeGreaterThan(0)
})
