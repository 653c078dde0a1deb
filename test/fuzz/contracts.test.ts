import { describe, expect, it } from 'vitest'
import { fc, mutatedJson } from '../support/fuzz.ts'
import { valuesFor } from '../support/schema-values.ts'
import { routeContracts, type RouteContract } from '#shared/contracts/route-contracts.ts'

const contracts = Object.entries(routeContracts as Record<string, RouteContract>)
const requests = contracts.flatMap(([name, { request }]) => (request ? [{ name, schema: request }] : []))
const queries = contracts.flatMap(([name, { query }]) => (query ? [{ name, schema: query }] : []))

const throughJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown

describe.each(requests)('a body of $name', ({ schema }) => {
  it('is unchanged after serialising and parsing, also twice', () => {
    fc.assert(
      fc.property(valuesFor(schema), (body) => {
        const parsed = schema.parse(throughJson(body))
        expect(parsed).toEqual(schema.parse(body))
        expect(schema.parse(throughJson(parsed))).toEqual(parsed)
      }),
    )
  })

  it('with random changes is accepted or refused, and never crashes the check', () => {
    fc.assert(
      fc.property(
        valuesFor(schema).chain((body) => mutatedJson(throughJson(body))),
        (body) => {
          const { success, data } = schema.safeParse(body)
          if (success) expect(schema.parse(data)).toEqual(data)
        },
      ),
    )
  })
})

describe.each(queries)('a query of $name', ({ schema }) => {
  it('is unchanged after a round trip through a URL; any other is accepted or refused', () => {
    fc.assert(
      fc.property(valuesFor(schema) as fc.Arbitrary<Record<string, string>>, (query) => {
        const receivedQuery = Object.fromEntries(new URLSearchParams(new URLSearchParams(query).toString()))
        expect(schema.parse(receivedQuery)).toEqual(schema.parse(query))
      }),
    )
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.string({ unit: 'binary' })),
        (query) => void schema.safeParse(query),
      ),
    )
  })
})
