import { expect, it } from 'vitest'
import * as z from 'zod'
import { parseEnv } from './env.ts'

it('returns typed values', () => {
  expect(parseEnv({ N: z.coerce.number(), S: z.string().optional() }, { N: '2', S: '' })).toEqual({ N: 2 })
})

it('names every missing variable', () => {
  expect(() => parseEnv({ A: z.string(), B: z.string() }, { A: '' })).toThrow(/A .*B /)
})
