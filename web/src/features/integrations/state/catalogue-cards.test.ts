import { describe, expect, it } from 'vitest'
import { buildCards, toEntryId, environmentLabels, supportsSandbox } from './catalogue-cards.ts'
import { anEntry, anIntegration } from '../../../../../test/support/connections.ts'

const plainEntry = {
  sandbox_supported: false,
  environments: ['production' as const],
  provider: 'Acme',
  name: 'Acme',
}

describe('a sandbox card', () => {
  it.each([
    ['INT-37', plainEntry, false],
    ['INT-37', { ...plainEntry, sandbox_supported: true }, true],
    ['INT-39', { ...plainEntry, environments: ['production' as const, 'sandbox' as const] }, true],
    ['INT-38 DEC-060', { ...plainEntry, name: 'My STRIPE reports' }, true],
    ['INT-38', { ...plainEntry, provider: 'SalesForce.com' }, true],
    ['INT-38', { ...plainEntry, name: 'PayPal' }, true],
  ])('%s is offered for %o: %s', (_, entry, expected) => {
    expect(supportsSandbox(entry)).toBe(expected)
  })

  it('INT-33 INT-34 follows the live card, with the suffix -sandbox in its id', () => {
    const entry = anEntry({ id: 'stripe', name: 'Stripe', provider: 'Stripe' })
    const ids = buildCards([entry, anEntry()], []).map((card) => card.id)
    expect(ids).toHaveLength(3)
    expect(ids).toEqual(['stripe', 'stripe-sandbox', 'slack'])
  })

  it('DEC-059 is never connected, even if there is a connection with its id', () => {
    const entry = anEntry({ id: 'stripe', name: 'Stripe', provider: 'Stripe' })
    const liveConnection = anIntegration({ mcp_id: 'stripe' })
    const sandboxConnection = anIntegration({ mcp_id: 'stripe-sandbox' })
    const cards = buildCards([entry, anEntry()], [liveConnection, sandboxConnection])
    expect(cards.map((card) => [card.id, card.environment, card.connection?.id])).toEqual([
      ['stripe', 'production', 'stripe'],
      ['stripe-sandbox', 'sandbox', undefined],
      ['slack', 'production', undefined],
    ])
  })

  it('INT-40 DEC-059 has the label Sandbox, and belongs to the same entry as the live card', () => {
    expect(environmentLabels).toEqual({ production: 'Live', sandbox: 'Sandbox' })
    expect([toEntryId('stripe-sandbox'), toEntryId('stripe')]).toEqual(['stripe', 'stripe'])
  })
})

it('shows an entry that is on two pages only once', () => {
  const cards = buildCards([anEntry(), anEntry(), anEntry({ id: 'other', name: 'SLACK' })], [])
  expect(cards.map((card) => card.id)).toEqual(['slack'])
})
