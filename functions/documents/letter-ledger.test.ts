import { afterEach, describe, expect, test, vi } from 'vitest'
import { fc } from '../../test/support/fuzz.ts'
import { haveSameLetters, LetterLedger } from './letter-ledger.ts'
import { divideColumns, listRows } from './pdf-columns.ts'
import { formatWholePage } from './pdf-lines.ts'
import { formatTable } from './write-table.ts'

vi.mock('./pdf-columns.ts', { spy: true })
vi.mock('./write-table.ts', { spy: true })
afterEach(() => void vi.mocked(divideColumns).mockReset())
afterEach(() => void vi.mocked(listRows).mockReset())
afterEach(() => void vi.mocked(formatTable).mockReset())

const item = (str: string, x: number, y: number) => ({
  str,
  transform: [10, 0, 0, 10, x, y],
  width: str.length * 5,
  height: 10,
  dir: 'ltr',
})

test('letters are counted in any order, without white space', () => {
  expect(haveSameLetters(['10.20%', ' 278'], ['278\t10.20%'])).toBe(true)
  expect(haveSameLetters(['11'], ['1'])).toBe(false)
  expect(haveSameLetters(['1'], ['11'])).toBe(false)
})

test('what is left out or written besides is no difference', () => {
  const ledger = new LetterLedger()
  ledger.receive('10 3 3')
  ledger.drop('3')
  ledger.write('^')
  expect(ledger.compare(['10^3'], true)).toEqual({ lost: '', added: '' })
  expect(ledger.compare(['10'], true)).toEqual({ lost: '3^', added: '' })
  // a sign or a label may be missing, a letter of the document may not
  expect(ledger.compare(['103'])).toEqual({ lost: '', added: '' })
  expect(ledger.compare(['10~3~3'])).toEqual({ lost: '', added: '3' })
})

test('two texts in one cell of a box are both kept, in columns of their own', () => {
  const walls = [0, 100, 300].map((x) => ({ x, low: 600, high: 720 }))
  const items = [
    item('Sales Tax', 5, 680),
    item('10.20%', 110, 680),
    item('278.46', 260, 680),
    item('TOTAL', 5, 660),
    item('803.46', 260, 660),
  ]
  const { text, difference, plain } = formatWholePage(items, { walls })
  expect(difference).toEqual({ lost: '', added: '' })
  expect(text).toBe('Sales Tax\t10.20%\t278.46\nTOTAL\t\t803.46')
  expect(plain).toBeUndefined()
})

describe('a layout that is broken', () => {
  const page = [item('Lamp', 50, 700), item('12', 200, 700), item('Desk', 50, 680), item('7', 200, 680)]

  test('loses no cell of a table, which is given line by line', () => {
    vi.mocked(formatTable).mockImplementation((rows) => `${rows.map(([cell]) => cell).join('\n')}\n`)
    expect(formatWholePage(page)).toMatchObject({ text: 'Lamp\t12\nDesk\t7', plain: 'tables' })
  })

  test.each([
    ['loses no line', (rows: readonly unknown[]) => rows.slice(1)],
    ['doubles no line', (rows: readonly unknown[]) => [...rows, ...rows.slice(1)]],
  ])('%s of a page, which is given in reading order', (_, damage) => {
    vi.mocked(divideColumns).mockImplementation((rows) => [damage(rows) as (typeof rows)[number][]])
    expect(formatWholePage(page)).toMatchObject({ text: 'Lamp\t12\nDesk\t7', plain: 'page' })
  })

  test('loses neither text nor address of a page, which is given in the order of its drawing', () => {
    vi.mocked(listRows).mockReturnValue([])
    const links = [{ rect: [50, 700, 70, 710], url: 'https://a.example/q' }]
    const { text, plain, difference } = formatWholePage(page, { links })
    expect({ text, plain }).toEqual({ text: 'Lamp\n12\nDesk\n7\n(https://a.example/q)', plain: 'drawn' })
    expect(difference).toEqual({ lost: '', added: '' })
  })
})

const words = fc.constantFrom(
  'Sum',
  'net total',
  '1,200.00',
  '12',
  '-',
  '10.20%',
  'Ann Berg',
  '•',
  'x',
  'a,',
  '合計',
)
const at = (max: number) => fc.integer({ min: 0, max })
const block = fc
  .record({
    left: at(300),
    top: fc.integer({ min: 100, max: 780 }),
    pitch: fc.integer({ min: 6, max: 30 }),
    columns: fc.array(fc.integer({ min: 10, max: 120 }), { minLength: 1, maxLength: 5 }),
    rows: fc.array(fc.array(fc.option(words), { maxLength: 5 }), { maxLength: 6 }),
  })
  .map(({ left, top, pitch, columns, rows }) =>
    rows.flatMap((cells, row) =>
      cells.flatMap((cell, column) => {
        const x = left + columns.slice(0, column).reduce((sum, width) => sum + width, 0)
        return cell === null ? [] : item(cell, x, top - row * pitch)
      }),
    ),
  )

test('pages of any blocks, walls, lines and links have each letter once, with their layout', () => {
  fc.assert(
    fc.property(
      fc.array(block, { maxLength: 4 }),
      fc.array(fc.record({ x: at(600), low: at(400), high: fc.integer({ min: 300, max: 800 }) }), {
        maxLength: 6,
      }),
      fc.array(
        fc.record({ from: at(300), to: fc.integer({ min: 200, max: 600 }), y: at(800), thickness: at(4) }),
        { maxLength: 6 },
      ),
      fc.array(at(700), { maxLength: 2 }),
      (blocks, walls, lines, places) => {
        const links = places.map((y) => ({ rect: [0, y, 300, y + 30], url: 'https://a.example/q' }))
        const { difference, plain } = formatWholePage(blocks.flat(), { walls, lines, links })
        expect(difference).toEqual({ lost: '', added: '' })
        expect(plain).toBeUndefined()
      },
    ),
  )
})
