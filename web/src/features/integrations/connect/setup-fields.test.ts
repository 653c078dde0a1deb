import { expect, it } from 'vitest'
import { inGerman } from '../../../../../test/support/german-page.ts'

it('labels and examples of the fields of built-in integrations are translated, and those of others are not', async () => {
  const { getSetupNeeds } = await inGerman(() => import('./setup-fields.ts'))
  const field = { name: 'apiKey', label: 'Token', placeholder: '32 hex characters', secret: true }
  const other = { ...field, label: 'X-Team', placeholder: 'team_...' }
  const entry = { name: 'A', auth_type: 'api_key', preconfigured: false, config: {} as never } as const
  const { keys } = getSetupNeeds({ ...entry, credential_fields: [field, other] }, undefined)
  expect(keys.map(({ label, placeholder }) => [label, placeholder])).toEqual([
    ['Token', '32 Hexadezimalzeichen'],
    ['X-Team', 'team_...'],
  ])
})
