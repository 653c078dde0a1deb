import { expect, it, vi } from 'vitest'
import { ZodError } from 'zod'
import { metricUnits, type MetricName } from '#shared/metrics.ts'
import { metricLines } from '../../../test/support/metric-lines.ts'
import { measure } from './metrics.ts'

/** What a call writes to standard output, as one text. */
function captureOutput(write: () => void, namespace = 'juno-test'): string {
  vi.stubEnv('METRICS_NAMESPACE', namespace)
  const output = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  write()
  const text = output.mock.calls.map(([chunk]) => String(chunk)).join('')
  output.mockRestore()
  return text
}

it.each(Object.entries(metricUnits))('writes %s in %s, as CloudWatch expects it', (name, unit) => {
  const text = captureOutput(() => measure({ [name]: 7 }))
  expect(text.endsWith('\n')).toBe(true)
  expect(metricLines(text)).toEqual([
    { namespace: 'juno-test', dimensions: [[]], units: { [name]: unit }, values: { [name]: 7 }, about: {} },
  ])
})

it('writes related values in one line, with their properties', () => {
  const values = { FailedReplies: 0, TimeToFirstToken: 312, InputTokens: 20, OutputTokens: undefined }
  const text = captureOutput(() => measure(values, { requestId: 'r-1', route: 'chat.send' }))
  expect(metricLines(text)).toMatchObject([
    {
      values: { FailedReplies: 0, TimeToFirstToken: 312, InputTokens: 20 },
      about: { requestId: 'r-1', route: 'chat.send' },
    },
  ])
})

it('writes only allowed fields, and only numbers', () => {
  const values = { InputTokens: 1, OutputTokens: Number.NaN, Secrets: 3 } as { [Name in MetricName]?: number }
  const about = { code: 'c', user: 'ann', content: 'my secret diary' }
  const [line] = metricLines(captureOutput(() => measure(values, about)))
  expect(line).toMatchObject({ values: { InputTokens: 1 }, about: { code: 'c' } })
  expect(Object.keys({ ...line?.values, ...line?.about })).toEqual(['InputTokens', 'code'])
})

it('writes nothing without a namespace, or without a value', () => {
  expect(captureOutput(() => measure({ InputTokens: 1 }), '')).toBe('')
  expect(captureOutput(() => measure({ InputTokens: undefined }, { requestId: 'r' }))).toBe('')
})

it('rejects a line that violates the format', () => {
  const line = captureOutput(() => measure({ InputTokens: 1 }))
  for (const malformedLine of [
    line.replace('"InputTokens":1', '"InputTokens":"1"'),
    line.replace('"Timestamp":', '"Time":'),
    line.replace('[[]]', '[["Stage"]]'),
    line.replace('"Count"', '"Tokens"'),
  ])
    expect(() => metricLines(malformedLine)).toThrow(ZodError)
})
