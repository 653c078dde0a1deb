import { expect, it } from 'vitest'
import { inGerman } from '../../../../../test/support/german-page.ts'

it('labels and examples of the fields of built-in integrations are translated, and those of others are not', async () => {
  const { getCredentialFields } = await inGerman(() => import('./setup-fields.ts'))
  const field = { name: 'apiKey', label: 'Token', placeholder: '32 hex characters', secret: true }
  const other = { ...field, label: 'X-Team', placeholder: 'team_...' }
  const fields = getCredentialFields({ name: 'A', credential_fields: [field, other], config: {} as never })
  expect(fields.map(({ label, placeholder }) => [label, placeholder])).toEqual([
    ['Token', '32 Hexadezimalzeichen'],
    ['X-Team', 'team_...'],
  ])
})
