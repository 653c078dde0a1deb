import { expect, it } from 'vitest'
import { resultPager } from './result-pager.ts'

const signal = new AbortController().signal
const letters = (count: number) => Array.from({ length: count }, (_, index) => String(index % 10)).join('')

it('a result of 20,000 characters is returned whole', () => {
  const pager = resultPager()
  expect(pager.firstPage('c', letters(20_000))).toBe(letters(20_000))
})

it('a longer result is read page by page', async () => {
  const pager = resultPager()
  const text = letters(40_001)
  const first = pager.firstPage('c', text)
  expect(first).toBe(
    `${text.slice(0, 19_600)}\n[Cut: characters 0 to 19600 of 40001. read_result with call "c" and from 19600 gives more.]`,
  )
  const { tool } = pager
  expect(tool).toMatchObject({
    name: 'read_result',
    title: 'Read on in a result',
    writes: false,
    activity: 'document_analysis',
    timeoutMs: 1_000,
  })
  const read = (input: object) => tool.run(input as Record<string, unknown>, signal)
  expect(await read({ call: 'c', from: 19_600 })).toContain('characters 19600 to 39200 of 40001')
  expect(await read({ call: 'c', from: 20_401 })).toBe(text.slice(20_401))
  expect(await read({ call: 'c', from: 20_400 })).toMatch(/from 40000 gives more/)
  expect(await read({ call: 'c', from: 40_000 })).toBe(text.slice(40_000))
  await expect(read({ call: 'c', from: 40_001 })).rejects.toThrow('The result ends at character 40001.')
  await expect(read({ call: 'd', from: 0 })).rejects.toThrow(
    'This result is not there any more. Make the call again.',
  )
  expect(tool.toStoredResult?.('text')).toEqual({ read: true })
  // the schema that the model gets
  const { parameters } = tool
  expect(parameters.schema).toMatchObject({ properties: { call: { maxLength: 200 }, from: { minimum: 0 } } })
  expect(parameters.check({ call: 'c', from: 0 })).toEqual({ input: { call: 'c', from: 0 } })
  for (const wrong of [
    { call: 'c', from: -1 },
    { call: 'c', from: 0.5 },
    { call: 'c'.repeat(201), from: 0 },
  ])
    expect(parameters.check(wrong)).toHaveProperty('problem')
})

it('a page takes at most a quarter of a window that is known, also of letters that are tokens: open-webui/computer#277', async () => {
  const pager = resultPager(8_000)
  expect(pager.firstPage('c', letters(6_000))).toBe(letters(6_000))
  const first = pager.firstPage('c', letters(6_001))
  expect(first).toMatch(/^[0-9]{5600}\n\[Cut: characters 0 to 5600 of 6001/)
  const text = '漢'.repeat(3_000)
  expect(pager.firstPage('d', text)).toMatch(/^漢{1866}\n\[Cut: characters 0 to 1866 of 3000/)
  const read = async (from: number) => String(await pager.tool.run({ call: 'd', from }, signal))
  expect(await read(1_866)).toBe('漢'.repeat(1_134))
  // a pair is not cut in two
  expect(pager.firstPage('e', `a${'😀'.repeat(5_000)}`).isWellFormed()).toBe(true)
  // of a large window no more than of an unknown one
  expect(resultPager(1_000_000).firstPage('c', letters(20_001))).toMatch(/^[0-9]{19600}\n/)
})
