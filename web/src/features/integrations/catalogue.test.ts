import { describe, expect, it } from 'vitest'
import { catalogueCards, entryIdOf, environmentLabels, supportsSandbox } from './catalogue.ts'
import { anEntry, anIntegration } from './test-entries.ts'

const plain = {
  sandbox_supported: false,
  environments: ['production' as const],
  provider: 'Acme',
  name: 'Acme',
}

describe('a sandbox', () => {
  it.each([
    [plain, false],
    [{ ...plain, sandbox_supported: true }, true],
    [{ ...plain, environments: ['production' as const, 'sandbox' as const] }, true],
    [{ ...plain, name: 'My STRIPE reports' }, true],
    [{ ...plain, provider: 'SalesForce.com' }, true],
    [{ ...plain, name: 'PayPal' }, true],
  ])('INT-37 INT-38 INT-39 DEC-060 is offered for %o: %s', (entry, expected) => {
    expect(supportsSandbox(entry)).toBe(expected)
  })

  it('INT-33 INT-34 INT-35 INT-36 DEC-059 has a card behind the live one, never connected', () => {
    const entry = anEntry({ id: 'stripe', name: 'Stripe', provider: 'Stripe' })
    const live = anIntegration({ mcp_id: 'stripe' })
    const sandbox = anIntegration({ id: 'i2', mcp_id: 'stripe-sandbox' })
    const cards = catalogueCards([entry, anEntry()], [live, sandbox])
    expect(cards.map((card) => [card.id, card.environment, card.integration?.id])).toEqual([
      ['stripe', 'production', 'i1'],
      ['stripe-sandbox', 'sandbox', undefined],
      ['slack', 'production', undefined],
    ])
  })

  it('INT-40 DEC-059 reads Live and Sandbox, and belongs to its entry', () => {
    expect(environmentLabels).toEqual({ production: 'Live', sandbox: 'Sandbox' })
    expect([entryIdOf('stripe-sandbox'), entryIdOf('stripe')]).toEqual(['stripe', 'stripe'])
  })
})

it('REG-10 REG-11 what comes on two pages is shown once', () => {
  const cards = catalogueCards([anEntry(), anEntry(), anEntry({ id: 'other', name: 'SLACK' })], [])
  expect(cards.map((card) => card.id)).toEqual(['slack'])
})
